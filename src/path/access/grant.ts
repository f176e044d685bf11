import type { Mode } from "../../domain/vocabulary/vocabulary.js";

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
