/** How each table with rows of a workspace moves. A test checks that no such table is missing here. */

/** A column of a key, and its type. */
export type KeyColumn = readonly [name: string, type: string];

export interface LogTable {
  table: string;
  /** The columns after `workspace_id`, by which rows are read page by page. */
  key: readonly KeyColumn[];
  /** The action for a row that the new cell already has. */
  onConflict: string;
  /** True if one hour of the table can be copied alone, by the time in the key's last column. */
  isHourly: boolean;
  rowsAtOnce?: "documents";
  /**
   * The rows belong to exports. Only rows of finished exports are copied, and only once the new cell has the export.
   */
  isOfExports?: true;
}

const MODE = ["mode", "smallint"] as const;
const DECISION = ["decision_id", "uuid"] as const;

/** Tables that grow too large for one transaction. A table comes after the tables to which it refers. */
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
    // The same rule as in apply_outcomes() (migrations/0005_outcomes.sql). REV-5: the outcome of a rejected review is
    // not a report.
    onConflict: `update where (excluded.reported_at >= outcomes.reported_at or outcomes.provider_used is null)
      and (excluded.provider_used is not null or outcomes.provider_used is null)`,
    isHourly: true,
  },
  {
    table: "retried_decisions",
    key: [MODE, DECISION],
    // Once the workspace is open in the new cell, that cell decides what is counted for a retry.
    onConflict: `update where not exists (select from workspace_moves m
      where m.workspace_id = excluded.workspace_id and m.step = 'arrived')`,
    isHourly: true,
  },
  { table: "reviews", key: [MODE, DECISION], onConflict: "do nothing", isHourly: true },
];

/** The pieces of export files. They refer to exports, which are in `CONFIG_TABLES`. */
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
  /** Which rows are copied. By default all rows of the workspace are. */
  where?: string;
  /** Columns that are not copied, because they name a node of the old cell. */
  without?: readonly string[];
}

/**
 * The tables of what is administered, and small tables. They are copied whole. A table comes after the tables to which
 * it refers.
 */
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
  // An export that is not done is made in the new cell, once the whole log is there.
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

/** The tables that are copied last, once the old cell stores nothing more of the workspace. */
export const LAST_TABLES = ["unmatched_outcomes", "event_deliveries"] as const;

/**
 * Tables that are not copied: letters that the old cell sends, what nodes learn anew, records set aside, and the moves
 * themselves.
 */
export const LEFT_TABLES = [
  "mails",
  "learnt_health",
  "set_aside",
  "moved_deltas",
  "move_seen",
  "workspace_moves",
] as const;
