import type { Replica } from "../replica/replica.js";

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

const GUESTS_KEY = "guest_cells";

/** The cells whose keys and tokens a node takes. They are on its disk, since it admits requests without PostgreSQL too. */
export interface TakenCells {
  takes: TakesCell;
  /** CELL-11: the cells that other workspaces came from. */
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
