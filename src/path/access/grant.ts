import type { Mode } from "../../domain/vocabulary/vocabulary.js";

/** The identity behind a credential, which is a key or a session, on an endpoint that requires a scope. */
export interface Grant {
  /** `key_…` or `usr_…`, for the audit trail. */
  actor: string;
  /** `ws_…` */
  workspaceId: string;
  /** A key has its own mode. For a session it is the mode that the query asks for. */
  mode: Mode;
  /** The one merchant that a key is limited to, or null. */
  merchantScope: string | null;
}
