import type { Mode } from "../../domain/vocabulary/vocabulary.js";

/** What a credential, key or session, stands for on an endpoint that asks for a scope. */
export interface Grant {
  /** `key_…` or `usr_…`, for the audit trail. */
  actor: string;
  /** `ws_…` */
  workspaceId: string;
  /** A key's own; of a session what the query asks for. */
  mode: Mode;
  /** The one merchant a key is limited to, or null. */
  merchantScope: string | null;
}
