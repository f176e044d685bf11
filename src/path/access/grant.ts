import type { Mode, Scope, WorkspaceStatus } from "../../domain/vocabulary/vocabulary.js";

/** What a credential allows on an endpoint that requires a scope. The credential is a key or a session. */
export interface Grant {
  /** `key_…` or `usr_…`, for the audit trail. */
  actor: string;
  /** `ws_…` */
  workspaceId: string;
  /** The mode of the key, or the mode that the query of a session's request names. */
  mode: Mode;
  /** The one merchant that the key is limited to, or null. */
  merchantScope: string | null;
}

/** A stored key together with its workspace's status. One look-up reads both. */
export interface StoredApiKey {
  keyId: string;
  workspaceId: string;
  mode: Mode;
  scopes: readonly Scope[];
  merchantId: string | null;
  /** Unix milliseconds, or null. */
  expiresAtMs: number | null;
  revoked: boolean;
  salt: Buffer;
  hash: Buffer;
  workspaceStatus: WorkspaceStatus;
}

/** The rights of a verified key. */
export interface ApiKeyGrant extends Grant {
  scopes: ReadonlySet<Scope>;
  expiresAtMs: number | null;
  workspaceStatus: WorkspaceStatus;
}

/** `too_many_guesses`: the request's source has shown too many unknown keys (RATE-9). */
export type Authentication = ApiKeyGrant | "invalid_api_key" | "too_many_guesses" | "unavailable";

/** Finds a key by its public id. Null if no key has that id. Rejects while PostgreSQL is away. */
export type FindApiKey = (publicId: string) => Promise<StoredApiKey | null>;
