/** How each table with a workspace's rows moves. A test holds that none is forgotten. */

/** A column of a key, and its type. */
export type KeyColumn = readonly [name: string, type: string];

export interface LogTable {
  table: string;
  /** By which rows are read page by page, behind the workspace. */
  key: readonly KeyColumn[];
  /** What becomes of a row that is there already. */
  onConflict: string;
  /** True: it counts by the hour of the key's last column. */
  isHourly: boolean;
  rowsAtOnce?: "documents";
  /** Rows belong to an export that is done, and are stored where the export is already. */
  isOfExports?: true;
}

const MODE = ["mode", "smallint"] as const;
const DECISION = ["decision_id", "uuid"] as const;

/** What grows and is too much for one transaction. What it refers to comes first. */
export const LOG_TABLES: readonly LogTable[] = [
  { table: "audit_log", key: [["audit_id", "uuid"]], onConflict: "do nothing", isHourly: false },
  {
    table: "decision_segments",
    key: [["segment_id", "uuid"]],
    onConflict: "do nothing",
    isHourly: true,
    rowsAtOnce: "documents",
  },
  { table: "decisions", key: [MODE, DECISION], onConflict: "do nothing", isHourly: true },
  {
    table: "outcomes",
    key: [MODE, DECISION],
    // As apply_outcomes() decides (migrations/0005_outcomes.sql). REV-5: a rejected review's is none of a report.
    onConflict: `update where (excluded.reported_at >= outcomes.reported_at or outcomes.provider_used is null)
      and (excluded.provider_used is not null or outcomes.provider_used is null)`,
    isHourly: true,
  },
  {
    table: "retried_decisions",
    key: [MODE, DECISION],
    // Once the workspace is open where it goes, what is counted for a retry is decided there.
    onConflict: `update where not exists (select from workspace_moves m
      where m.workspace_id = excluded.workspace_id and m.step = 'arrived')`,
    isHourly: true,
  },
  { table: "reviews", key: [MODE, DECISION], onConflict: "do nothing", isHourly: true },
];

/** Files in pieces. They refer to exports, which are administered. */
export const CHUNK_TABLE: LogTable = {
  table: "export_chunks",
  key: [
    ["export_id", "uuid"],
    ["raw_offset", "bigint"],
  ],
  onConflict: "do nothing",
  isHourly: false,
  rowsAtOnce: "documents",
  isOfExports: true,
};

export interface ConfigTable {
  table: string;
  /** Other tables refer to its rows, which therefore change in place. */
  isReferenced?: true;
  /** Which rows. By default all of the workspace. */
  where?: string;
  /** Columns that are not copied, since they are of a node of the other cell. */
  without?: readonly string[];
}

/** What is administered, and what is little: it is copied whole. What others refer to comes first. */
export const CONFIG_TABLES: readonly ConfigTable[] = [
  { table: "merchants", isReferenced: true },
  { table: "memberships", isReferenced: true },
  { table: "sessions" },
  { table: "invitations" },
  { table: "password_resets" },
  { table: "saved_views" },
  { table: "api_keys" },
  { table: "policies" },
  { table: "pricing_contracts" },
  { table: "observed_prices" },
  { table: "merchant_prices" },
  { table: "webhook_secrets" },
  { table: "webhook_events" },
  { table: "observed_fees" },
  { table: "provider_incidents" },
  { table: "provider_overrides" },
  { table: "merchant_amounts" },
  { table: "alerts" },
  { table: "alert_acknowledgements" },
  { table: "event_endpoints", isReferenced: true, without: ["leased_by", "leased_until"] },
  { table: "change_replies" },
  // One that is not done is made where the workspace goes, once all of the log is there.
  {
    table: "exports",
    isReferenced: true,
    where: "status in ('done', 'failed', 'expired')",
    without: ["leased_by", "leased_until"],
  },
];

/** Figures that folds have added up. */
export const FIGURE_TABLES = [
  "rollup_hours",
  "rollup_months",
  "rollup_totals",
  "rollup_providers",
  "rollup_latencies",
  "rollup_provider_hours",
  "rollup_latency_hours",
  "rollup_latency_days",
  "rollup_costs",
  "rollup_retries",
  "facets",
  "facet_blocks",
] as const;

export const DELTA_TABLES = [
  "rollup_deltas",
  "rollup_cost_deltas",
  "rollup_retry_deltas",
  "facet_deltas",
] as const;

/** What is carried at the end, once the old cell stores nothing any more. */
export const LAST_TABLES = ["unmatched_outcomes", "event_deliveries"] as const;

/** What stays behind: letters that leave from there, what nodes learn anew, and the moves themselves. */
export const LEFT_TABLES = [
  "mails",
  "learnt_health",
  "set_aside",
  "moved_deltas",
  "move_seen",
  "workspace_moves",
] as const;
