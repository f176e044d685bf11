import type { ClientBase } from "pg";
import { WEEKLY_TABLES } from "../../retention/service.js";

/** Deltas are in one partition, by whose name rows are found (migrations/0006_rollups.sql). */
export const DELTA_TABLES = [
  "rollup_deltas",
  "rollup_cost_deltas",
  "rollup_retry_deltas",
  "facet_deltas",
] as const;

/** Figures that are kept by merchant too. The others are of the whole workspace. */
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

/** A merchant's own rows: those with its id in `merchant_id`. What refers to a row leaves before it. */
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
 * RET-20: every table with a `workspace_id`, in the order in which the rows of a workspace leave. What opens the API goes
 * first, and what others refer to last. `changes` goes by itself, once the nodes have read it.
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

/** Partitions of a table by week, those that a run of retention has detached too: they may go to the archive yet. */
export async function weeksOf(client: ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname ~ $1 order by relname`,
    [`^${table}_[0-9]{4}_[0-9]{2}_[0-9]{2}$`],
  );
  return rows.map(({ name }) => name);
}
