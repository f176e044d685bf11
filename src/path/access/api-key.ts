import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { MODES, type Mode } from "../../domain/vocabulary/vocabulary.js";

/**
 * `pi_<mode>_<public id><secret>`, with 16 and 48 hexadecimal characters. The public id finds the row and is shown in
 * the key's prefix. The secret has 192 random bits. It is stored only as a salted SHA-256 of the whole key.
 */
const PUBLIC_CHARS = 16;
const SECRET_CHARS = 48;
const KEY = /^pi_(test|live)_([0-9a-f]{16})[0-9a-f]{48}$/;

export interface NewApiKey {
  /** The whole key. It is returned once and never stored. */
  secret: string;
  publicId: string;
  /** The part by which a person recognises the key: `pi_test_<public id>`. */
  prefix: string;
  salt: Buffer;
  hash: Buffer;
}

export function generateApiKey(mode: Mode): NewApiKey {
  const publicId = randomBytes(PUBLIC_CHARS / 2).toString("hex");
  const prefix = `pi_${mode}_${publicId}`;
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

/** The non-secret parts of a presented key. Null if the text is not shaped like a key. */
export function parseApiKey(presented: string): { mode: Mode; publicId: string } | null {
  const match = KEY.exec(presented);
  if (!match) return null;
  const mode = MODES.find((candidate) => candidate === match[1]);
  return mode === undefined ? null : { mode, publicId: match[2] as string };
}

/** The position of the public id in a key of either mode. Both prefixes have the same length. */
export const PUBLIC_ID_AT = "pi_test_".length;
export const PUBLIC_ID_END = PUBLIC_ID_AT + PUBLIC_CHARS;
export const API_KEY_CHARS = PUBLIC_ID_END + SECRET_CHARS;

/** Compares two texts of equal length without stopping at the first difference. */
export function equalInConstantTime(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
