import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { MODES, type Mode } from "../../domain/vocabulary/vocabulary.js";
import { CELL_NAME } from "../../domain/vocabulary/access-limits.js";
import { takesOwn, type CellName, type TakesCell } from "./cell.js";

/**
 * `pi_<mode>_<public id><secret>`, or with several cells `pi_<mode>_<cell>_<public id><secret>`. The public id has 16
 * hexadecimal characters and the secret 48. The public id finds the row, and is shown as part of the key's prefix. The
 * secret has 192 random bits. It is stored only as a salted SHA-256 of the whole key.
 */
export const PUBLIC_CHARS = 16;
export const SECRET_CHARS = 48;
const KEY = new RegExp(`^pi_(test|live)_(?:(${CELL_NAME})_)?([0-9a-f]{16})[0-9a-f]{48}$`);

export interface NewApiKey {
  /** The whole key. It is returned one time and never stored. */
  secret: string;
  publicId: string;
  /** The key without its secret, by which a person recognises the key. */
  prefix: string;
  salt: Buffer;
  hash: Buffer;
}

export function generateApiKey(mode: Mode, cell: CellName = null): NewApiKey {
  const publicId = randomBytes(PUBLIC_CHARS / 2).toString("hex");
  const prefix = apiKeyPrefix(mode, cell, publicId);
  const secret = prefix + randomBytes(SECRET_CHARS / 2).toString("hex");
  const salt = randomBytes(16);
  return { secret, publicId, prefix, salt, hash: hashApiKey(secret, salt) };
}

/** SHA-256 over salt and key. */
export function hashApiKey(secret: string, salt: Buffer): Buffer {
  return hash("sha256", Buffer.concat([salt, Buffer.from(secret, "latin1")]), "buffer");
}

export function verifyApiKey(secret: string, salt: Buffer, expected: Buffer): boolean {
  const actual = hashApiKey(secret, salt);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/**
 * The public parts of a presented key. Null if the text does not have the form of a key, or if `takes` refuses its
 * cell.
 */
export function parseApiKey(
  presented: string,
  takes: TakesCell = takesOwn(null),
): { mode: Mode; publicId: string } | null {
  const match = KEY.exec(presented);
  if (!match || !takes(match[2] ?? null)) return null;
  const mode = MODES.find((candidate) => candidate === match[1]);
  return mode === undefined ? null : { mode, publicId: match[3] as string };
}

export const apiKeyPrefix = (mode: Mode, cell: CellName, publicId: string): string =>
  cell === null ? `pi_${mode}_${publicId}` : `pi_${mode}_${cell}_${publicId}`;
