import { hash, randomBytes } from "node:crypto";
import { CELL_NAME } from "../../domain/vocabulary/access-limits.js";
import type { CellName, TakesCell } from "./cell.js";

/** AUTH-19: the 256 random bits of a session or an invitation. */
const TOKEN_BYTES = 32;
/** With several cells the name of the issuing cell and a full stop come first (CELL-1). */
const TOKEN = new RegExp(`^(?:(${CELL_NAME})\\.)?[A-Za-z0-9_-]{43}$`);

/** A base64url token. It is returned once. Afterwards only its hash is known. */
export function generateToken(cell: CellName = null): string {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  return cell === null ? token : `${cell}.${token}`;
}

/** Whether the text is shaped like a token of a cell that is taken. Any cell is, if the caller does not say. */
export function isToken(text: string, takes: TakesCell = () => true): boolean {
  const match = TOKEN.exec(text);
  return match !== null && takes(match[1] ?? null);
}

/** SHA-256. With this many random bits no salt is needed. */
export function hashToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}
