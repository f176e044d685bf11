import type { ClientBase } from "pg";
import { WEEKLY_TABLES } from "../../retention/service.js";

/** Each of these tables has one partition, `<table>_rows` (migrations/0006_rollups.sql). */
export const DELTA_TABLES = [
  "rollup_deltas",
  "rollup_cost_deltas",
  "rollup_retry_deltas",
  "facet_deltas",
] as const;

/** The tables of figures that also have rows for each merchant. Other tables have only totals of the workspace. */
export const MERCHANT_FIGURES = [
  "rollup_hours",
  "rollup_months",
  "rollup_totals",
  "rollup_providers",
  "rollup_latencies",
] as const;

const WORKSPACE_FIGURES = [
  ...MERCHANT_FIGURES,
  "rollup_provider_hours",
  "rollup_latency_hours",
  "rollup_latency_days",
  "rollup_costs",
  "rollup_retries",
  "facets",
  "facet_blocks",
] as const;

/**
 * The tables whose `merchant_id` names the owner of a row. A table with a foreign key comes before the table it
 * refers to.
 */
export const MERCHANT_TABLES = [
  "api_keys",
  "webhook_secrets",
  "merchant_amounts",
  "policies",
  "observed_fees",
  "webhook_events",
  "provider_incidents",
  "observed_prices",
  "merchant_prices",
  "pricing_contracts",
] as const;

/**
 * RET-20: every table with a `workspace_id`, in the order of removal. Tables that grant access come first. A table
 * comes after all tables that refer to it. `changes` is missing, because the nodes must read it first.
 */
export const WORKSPACE_TABLES: readonly string[] = [
  "sessions",
  "password_resets",
  "invitations",
  "mails",
  "change_replies",
  "export_chunks",
  "exports",
  "event_deliveries",
  "event_endpoints",
  "saved_views",
  "set_aside",
  "unmatched_outcomes",
  "reviews",
  ...WEEKLY_TABLES,
  ...DELTA_TABLES,
  ...WORKSPACE_FIGURES,
  ...MERCHANT_TABLES,
  "provider_overrides",
  "learnt_health",
  "alert_acknowledgements",
  "alerts",
  "merchants",
  "moved_deltas",
  "move_seen",
  "workspace_moves",
  "audit_log",
  "memberships",
  "workspaces",
];

/**
 * The weekly partitions of a table. Partitions that retention has detached are included, because retention may still
 * archive them.
 */
export async function weeksOf(client: ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname ~ $1 order by relname`,
    [`^${table}_[0-9]{4}_[0-9]{2}_[0-9]{2}$`],
  );
  return rows.map(({ name }) => name);
}
