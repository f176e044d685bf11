import type { Replica } from "../replica/replica.js";

/**
 * CELL-1: in a deployment with several cells, keys and tokens begin with the name of the cell that issued them. The
 * edge reads the name and sends the request to that cell. The name is null if the deployment has only one cell.
 */
export type CellName = string | null;

/** True if a node accepts keys and tokens of the cell `issuer`. Null stands for keys and tokens that name no cell. */
export type TakesCell = (issuer: CellName) => boolean;

/**
 * CELL-2: a node accepts what its own cell issued. It also accepts what has no name, because it was issued before the
 * deployment had several cells.
 */
export function takesOwn(own: CellName): TakesCell {
  return (issuer) => issuer === null || issuer === own;
}

const GUESTS_KEY = "guest_cells";

/** The cells whose keys and tokens a node accepts. Their names are on its disk, for times when PostgreSQL is away. */
export interface TakenCells {
  takes: TakesCell;
  /** CELL-11: sets the cells from which workspaces have moved to this node's cell. */
  setGuests(cells: readonly string[]): void;
}

export function createTakenCells(
  own: CellName,
  replica: Pick<Replica, "refresh" | "read" | "putText">,
): TakenCells {
  replica.refresh();
  const isOwn = takesOwn(own);
  let guests: ReadonlySet<CellName> = new Set(JSON.parse(replica.read(GUESTS_KEY) ?? "[]") as string[]);
  return {
    takes: (issuer) => isOwn(issuer) || guests.has(issuer),
    setGuests(cells) {
      guests = new Set(cells);
      replica.putText(GUESTS_KEY, JSON.stringify(cells));
    },
  };
}
