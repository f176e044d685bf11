import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { describe, it } from "node:test";
import { migrate } from "../../../src/platform/postgres/migrate.js";
import { createPool } from "../../../src/platform/postgres/pool.js";
import { createEmptyDatabase, createTestDatabase, MIGRATIONS_DIR } from "../../support/postgres/postgres.js";
import { eventually } from "../../support/service/service.js";

describe("migrations", () => {
  it("20 concurrent starters on a fresh database apply each migration once, without superuser", async () => {
    const { url, pool } = await createEmptyDatabase();
    await Promise.all(Array.from({ length: 20 }, () => migrate(url, MIGRATIONS_DIR)));
    const { rows } = await pool.query<{ id: number }>("select id from migrations where id > 0 order by id");
    const files = await readdir(MIGRATIONS_DIR);
    assert.deepEqual(
      rows.map((row) => row.id),
      files.map((name) => Number.parseInt(name, 10)).toSorted((a, b) => a - b),
    );
  });

  it("TEN-1: workspace_id leads every primary key, unique index and foreign key of tenants' tables", async () => {
    const { pool } = await createTestDatabase();
    const { rows } = await pool.query<{ name: string }>(
      `select i.indexrelid::regclass::text as name
       from pg_index i join pg_class c on c.oid = i.indrelid
       join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
       where i.indisunique and c.relnamespace = 'public'::regnamespace and a.attname <> 'workspace_id'
       union
       select conname from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
       where k.contype = 'f' and a.attname <> 'workspace_id'
       order by name`,
    );
    // The query does not find users_email, because that index is on an expression. The names below are of global tables
    // (migrations/0001_tenants_and_access.sql says which and why), except for memberships_user_id_fkey, which refers to
    // such a table.
    assert.deepEqual(
      rows.map((row) => row.name),
      [
        "alert_nodes_pkey",
        "archive_identity_pkey",
        "archived_parts_pkey",
        "changes_pkey",
        "decision_id_key_pkey",
        "email_tokens_pkey",
        "email_tokens_user_id_fkey",
        "erasures_number_key",
        "erasures_pkey",
        "event_fan_outs_pkey",
        "health_views_pkey",
        "journal_positions_node_number_key",
        "journal_positions_pkey",
        "learnt_health_cursor_pkey",
        "log_copy_batches_pkey",
        "log_copy_feedback_pkey",
        "log_copy_lanes_pkey",
        "mails_pkey",
        "memberships_user_id_fkey",
        "migrations_name_key",
        "migrations_pkey",
        "oidc_identities_pkey",
        "oidc_identities_user_id_fkey",
        "oidc_identities_user_id_issuer_key",
        "one_time_codes_pkey",
        "one_time_codes_user_id_fkey",
        "order_attempts_pkey",
        "outcome_evidence_pkey",
        "provider_health_pkey",
        "retention_runs_pkey",
        "rollup_beginnings_pkey",
        "users_pkey",
      ],
    );
  });
});

describe("pool", () => {
  it("reports a broken idle connection and continues", async () => {
    const { url, pool: admin } = await createTestDatabase();
    const errors: string[] = [];
    const pool = createPool({
      connectionString: url,
      connectionsMax: 1,
      statementTimeoutMs: 5_000,
      applicationName: "idle",
      onIdleError: (error) => errors.push(error.message),
    });
    try {
      await pool.query("select 1");
      await admin.query(
        "select pg_terminate_backend(pid, 2000) from pg_stat_activity where application_name = 'idle'",
      );
      while (errors.length === 0) await new Promise((resolve) => setImmediate(resolve));
      assert.match(errors[0] ?? "", /terminat/);
      assert.equal((await pool.query("select 1 as one")).rows[0].one, 1);
    } finally {
      await pool.end();
    }
  });

  it("cancels a statement that takes too long", async () => {
    const { url } = await createTestDatabase();
    const pool = createPool({
      connectionString: url,
      connectionsMax: 1,
      statementTimeoutMs: 50,
      applicationName: "slow",
    });
    try {
      // On a starved host the client's own, later time limit may come before the server's message.
      await eventually(() => assert.rejects(pool.query("select pg_sleep(30)"), /statement timeout/));
    } finally {
      await pool.end();
    }
  });
});
