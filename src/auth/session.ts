import { hash, randomBytes } from "node:crypto";
import type { Role, WorkspaceStatus } from "../shared/vocabulary.js";

/** Who acts on the dashboard: one user in one workspace. */
export interface Principal {
  /** Names the session without being its secret: the rate limit's principal. */
  sessionKey: string;
  userId: string;
  workspaceId: string;
  role: Role;
  workspaceStatus: WorkspaceStatus;
}

/** contract §3: 256 random bits. */
const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Base64url; returned once, and known afterwards only by its hash. */
export function generateSessionToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

export function isSessionToken(text: string): boolean {
  return TOKEN.test(text);
}

/** SHA-256; so many random bits need no salt. */
export function hashSessionToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}
