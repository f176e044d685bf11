import { ALERT_KIND_ROWS } from "../../../src/domain/vocabulary/alert-kinds.js";
import pg from "pg";

/**
 * The end of the insert statement for each table. It adds one row for each number n, or for some of them. `id` is the
 * n-th UUID, and `age` is n minutes.
 */
const FILLS: Readonly<Record<string, string>> = {
  workspaces: "(workspace_id, name) select id, 'Workspace'",
  merchants: "(workspace_id, merchant_id) select id, 'acme'",
  policies: `(workspace_id, policy_id, merchant_id, version_number, name, status, rules)
    select id, id, 'acme', 1, 'Policy', 1, '[]'`,
  api_keys: `(workspace_id, key_id, public_id, name, mode, scopes, salt, secret_hash)
    select id, id, 'key' || n, 'Key', 0, '{0}', '\\x00', decode(repeat('00', 32), 'hex')`,
  provider_overrides: "(workspace_id, provider, overrides) select id, 'provider_1', '[]'",
  merchant_prices: "(workspace_id, merchant_id, contract_version) select id, 'acme', 1",
  pricing_contracts: `(workspace_id, merchant_id, version_number, contract_id, name, effective_from, replaces_earlier,
      rules_stored, rules)
    select id, 'acme', 1, id, 'Contract', now(), true, 0, '[]'`,
  observed_prices: "(workspace_id, merchant_id, version_number, prices) select id, 'acme', 1, '[]'",
  observed_fees: `(workspace_id, merchant_id, fee_id, provider, payment_method, currency, amount_minor, fee_minor)
    select id, 'acme', id, 'provider_1', 0, 'USD', 10000, 300`,
  webhook_secrets: `(workspace_id, merchant_id, provider, secret_id, sealed, created_at)
    select id, 'acme', 'provider_1', id, '\\x00', now()`,
  webhook_events: `(workspace_id, merchant_id, provider, webhook_id, type, occurred_at, received_at)
    select id, 'acme', 'provider_1', 'msg_' || n, 'payment.updated', now() - age, now() - age`,
  provider_incidents: `(workspace_id, merchant_id, provider, incident_id, severity, is_open, changed_at, received_at)
    select id, 'acme', 'provider_1', 'incident', 0, n % 100 = 0, now() - age, now() - age`,
  event_endpoints: `(workspace_id, endpoint_id, url, types, format, sealed)
    select id, id, 'https://shop.example/events', '{alert.opened}', 'standard', '\\x00'`,
  event_deliveries: `(workspace_id, endpoint_id, delivery_id, event_id, type, subject, body, next_try_at)
    select id, id, overlay(ulid_floor(now() - age)::text placing right(id::text, 12) from 25)::uuid,
      id, 'alert.opened', 'subject', '{}', case when n % 100 = 0 then now() end`,
  event_fan_outs: `(event_id, type, subject, body, told_at)
    select id, 'alert.opened', 'subject', '{}', now()`,
  exports: `(workspace_id, export_id, created_by, kind, format, mode, since, until, filters, status, expires_at)
    select id, overlay(ulid_floor(now() - age)::text placing right(id::text, 12) from 25)::uuid, id, 'usage', 'csv', 0, now(),
      now(), '{}', case when n % 100 = 0 then 'queued' when n % 100 = 1 then 'done' else 'expired' end, now()`,
  export_chunks: `(workspace_id, export_id, raw_offset, raw_bytes, content)
    select id, overlay(ulid_floor(now() - age)::text placing right(id::text, 12) from 25)::uuid, 0, 1, '\\x00'`,
  alerts: `(workspace_id, kind, alert_id, mode, provider, segment_key, severity, reason_code, opened_at, closed_at, confirmed_at)
    select id, ${ALERT_KIND_ROWS.workspace_health.code}, id, 0, 'provider_1', 'provider_1:card:USD', 0, 'HEALTH_DEGRADED', now() - age,
      case when n % 100 <> 0 then now() end, now() - age`,
  outcome_evidence: `(stored_by, stored_at, evidence)
    select greatest(3, pg_current_xact_id()::text::bigint - n)::text::xid8, now() - age / 60, '[]'`,
  order_attempts: `(stored_by, stored_at, attempts)
    select greatest(3, pg_current_xact_id()::text::bigint - n)::text::xid8, now() - age / 60, ''`,
  changes: `(changed_by, workspace_id, kind, key, changed_at)
    select greatest(3, pg_current_xact_id()::text::bigint - n)::text::xid8, id, 1, 'acme', now() - age`,
  merchant_amounts: `(workspace_id, mode, merchant_id, currency, node_id, decision_count, sketch, updated_at)
    select id, 0, 'acme', 'USD', 'node', 1, '[]', now() - age`,
  decisions: `(workspace_id, decision_id, segment_id, amount_minor, doc_offset, doc_bytes, latency_units, mode,
      decision_mode, action, risk_band, merchant_id, order_id, currency, payment_method)
    select id, id, id, 100, 0, 0, 100, 0, 0, 0, 0, 'acme', 'order', 'USD', 0`,
  outcomes: `(workspace_id, decision_id, mode, outcome, order_id, provider_used)
    select id, id, 0, 0, 'order', 'provider_1' where n % 2 = 0`,
  retried_decisions: `(workspace_id, mode, decision_id, failed_provider, failed_outcome)
    select id, 0, id, 'provider_1', 1`,
  unmatched_outcomes: `(workspace_id, mode, decision_id, amount_minor, reported_at_ms, provider_latency_ms, outcome,
      order_id, provider_used, currency, kept_at, next_try_at)
    select id, 0, id, 100, 0, 1, 0, case when n % 2 = 0 then 'unknown' else 'order' end, 'provider_1', 'USD',
      now() - age, now() + age - interval '1 hour'`,
  set_aside: `(workspace_id, set_aside_id, kind, entry, statement, sql_state, message)
    select id, id, 'decision', '\\x00', 'decisions', '23514', 'refused'`,
  health_views: "(content_hash, content) select decode(md5(n::text), 'hex'), '\\x00'",
  rollup_latency_hours: `(workspace_id, mode, hour, segment, counts)
    select id, 0, id_hour(ulid_floor(now())) - n % 2000, 0, array[0::bigint]`,
  rollup_costs: `(workspace_id, mode, hour, currency, decision_mode, decisions, cost_minor, saved_dearest_minor,
      first_decisions, saved_first_minor)
    select id, 0, id_hour(ulid_floor(now())) - n % 2000, 'USD', 0, 1, 1, 1, 1, 1`,
  rollup_retries: `(workspace_id, mode, hour, provider, outcome, decisions, same_outcomes, same_approved,
      other_outcomes, other_approved)
    select id, 0, id_hour(ulid_floor(now())) - n % 2000, 'provider_1', 1, 1, 0, 0, 0, 0`,
};

/** The tables that grow with tenants or traffic and that a node queries without a request. */
export const GROWING_TABLES: readonly string[] = Object.keys(FILLS);

/** Fills each growing table with this many rows, so that PostgreSQL plans its queries as it does for large tables. */
export async function growDatabase(url: string, rowCount: number): Promise<void> {
  // This connection has no time limit, because a host can be busy.
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("set synchronous_commit = off");
    // Disables the change notes, which would add as many rows again, and the look-ups of foreign keys.
    await client.query(DROP_REFERENCES);
    // The ids of the rows begin with zeros, so their week is that of 1970.
    await client.query("select ensure_decision_partitions('1970-01-01Z')");
    for (const [table, fill] of Object.entries(FILLS)) {
      await client.query(`alter table ${table} disable trigger user`);
      await client.query(
        `with numbered as (
           select n, ('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id, n * interval '1 minute' as age
           from generate_series(1, ${rowCount}) as n)
         insert into ${table} ${fill.replace(/(?= where |$)/, " from numbered")}`,
      );
      await client.query(`alter table ${table} enable trigger user`);
    }
    await client.query("vacuum analyze");
  } finally {
    await client.end();
  }
}

const DROP_REFERENCES = `
  do $$ declare found record; begin
    for found in select conrelid::regclass as name, conname from pg_constraint
                 where contype = 'f' and connamespace = current_schema()::regnamespace loop
      execute format('alter table %s drop constraint %I', found.name, found.conname);
    end loop;
  end $$`;
