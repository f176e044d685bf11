/**
 * CELL-1: where a deployment has several cells, keys and tokens begin with the name of the cell that issued them. The
 * edge reads the name and sends the request there. Null is a deployment with one cell.
 */
export type CellName = string | null;

/** Whether a node takes what a cell of this name issued. Null means that no name is in it. */
export type TakesCell = (issuer: CellName) => boolean;

/**
 * CELL-2: a node takes what its own cell issued. It also takes what has no name, since that was issued before the
 * deployment had several cells.
 */
export function takesOwn(own: CellName): TakesCell {
  return (issuer) => issuer === null || issuer === own;
}
