/**
 * CELL-1: in a deployment with several cells, keys and tokens begin with the name of the cell that issued them. The
 * edge reads the name and sends the request to that cell. Null if the deployment has one cell.
 */
export type CellName = string | null;

/** True if a node accepts keys and tokens of the cell `issuer`. Null stands for those without a name. */
export type TakesCell = (issuer: CellName) => boolean;

/**
 * CELL-2: a node accepts what its own cell issued. It also accepts what has no name, because it was issued before the
 * deployment had several cells.
 */
export function takesOwn(own: CellName): TakesCell {
  return (issuer) => issuer === null || issuer === own;
}
