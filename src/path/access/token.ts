import { hash, randomBytes } from "node:crypto";

/** AUTH-19: 256 random bits, of a session or of an invitation. */
const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Base64url; returned once, and known afterwards only by its hash. */
export function generateToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** SHA-256; so many random bits need no salt. */
export function hashToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}
