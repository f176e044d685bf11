import { hash, randomBytes } from "node:crypto";
import { CELL_NAME } from "../../domain/vocabulary/access-limits.js";
import type { CellName, TakesCell } from "./cell.js";

/** AUTH-19: a token of a session or an invitation has 256 random bits. */
const TOKEN_BYTES = 32;
/** With several cells, the token begins with the issuing cell's name and a full stop (CELL-1). */
const TOKEN = new RegExp(`^(?:(${CELL_NAME})\\.)?[A-Za-z0-9_-]{43}$`);

/** Generates a token in base64url. Only its hash is stored. */
export function generateToken(cell: CellName = null): string {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  return cell === null ? token : `${cell}.${token}`;
}

/** True if the text has the form of a token and `takes` accepts its cell. By default every cell is accepted. */
export function isToken(text: string, takes: TakesCell = () => true): boolean {
  const match = TOKEN.exec(text);
  return match !== null && takes(match[1] ?? null);
}

/** Returns the SHA-256 of a token. With 256 random bits, no salt is needed. */
export function hashToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}
