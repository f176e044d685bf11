import { hash, randomBytes } from "node:crypto";

/** AUTH-19: the 256 random bits of a session or an invitation. */
const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** A base64url token. It is returned once. Afterwards only its hash is known. */
export function generateToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** SHA-256. With this many random bits no salt is needed. */
export function hashToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}
