import type {
  DecisionMode,
  HealthState,
  Mode,
  PaymentMethod,
  Scope,
} from "../../../domain/vocabulary/vocabulary.js";
import type { Workspace } from "./wire-account.js";

/** What a workspace's people administer: bodies as the service sends them. Times are ISO 8601. */

/** GET /v1/api-keys, one of them: never its secret. */
export interface ApiKey {
  id: string;
  name: string;
  mode: Mode;
  /** What a key begins with, and what tells it from others. */
  prefix: string;
  scopes: Scope[];
  /** null: every merchant of the workspace. */
  merchant_id: string | null;
  expires_at: string | null;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
}

export interface NewApiKey {
  name: string;
  mode: Mode;
  scopes: readonly Scope[];
  merchant_id?: string;
  expires_at?: string;
}

/** GET /v1/integrations, one of them. */
export interface Integration {
  provider: string;
  merchant_id: string;
  webhook_path: string;
  has_secret: boolean;
  rotated_at: string | null;
  last_event_at: string | null;
  needs_workspace_header?: true;
}

/** PUT /v1/integrations/:provider/webhook-secret: the secret is there when the service made it. */
export interface RotatedSecret {
  provider: string;
  merchant_id: string;
  secret?: string;
  rotated_at: string;
}

/** GET /v1/admin/merchants, one of them. */
export interface Merchant {
  merchant_id: string;
  name: string | null;
  created_at: string;
}

/** PATCH /v1/admin/workspace: what is left out stays; null goes back to the deployment's default. */
export interface WorkspaceChanges {
  name?: string;
  default_decision_mode?: DecisionMode | null;
  risk_block_threshold?: number | null;
}

/** GET /v1/admin/audit-log, one entry. */
export interface AuditEntry {
  audit_id: string;
  /** `usr_…` or `key_…` */
  actor: string;
  action: string;
  /** The id of what was changed. */
  resource: string;
  metadata: Readonly<Record<string, string | number | null>>;
  created_at: string;
}

export interface AuditPage {
  entries: AuditEntry[];
  /** In the direction walked. */
  has_more: boolean;
}

/** Where a drill holds; null stands for every one. */
export interface PinScope {
  payment_method: PaymentMethod | null;
  currency: string | null;
}

export interface Pin extends PinScope {
  state: HealthState;
  /** 0..100 */
  score: number;
}

/** PUT /v1/admin/provider-overrides/:provider: what is pinned of that provider now, oldest first. */
export interface ProviderPins {
  provider: string;
  overrides: Pin[];
}

/** GET /v1/admin/usage, one row: `decisions` are the enforced ones. */
export interface UsageRow {
  /** `YYYY-MM`, UTC. */
  month: string;
  mode: Mode;
  merchant_id: string;
  decisions: number;
  shadow_decisions: number;
}

/** GET /v1/admin/workspaces, one of them. */
export type Tenant = Pick<Workspace, "id" | "name" | "status" | "created_at">;

/** GET /v1/admin/set-aside, one of them: a record that PostgreSQL refuses. */
export interface SetAsideRecord {
  set_aside_id: string;
  kind: string;
  /** null: of no workspace. */
  workspace_id: string | null;
  mode: Mode | null;
  decision_id: string | null;
  statement: string;
  sql_state: string;
  message: string;
  node_id: string | null;
  position: number | null;
  set_aside_at: string;
}

export interface SetAsideList {
  records: SetAsideRecord[];
  /** In the direction walked. */
  has_more: boolean;
}

/** GET /v1/admin/set-aside/:id */
export interface SetAsideDetail {
  record: SetAsideRecord & {
    order_id: string | null;
    entry_base64: string;
    /** What it holds, in words; null where the service cannot read it. */
    entry: Record<string, unknown> | null;
  };
}
