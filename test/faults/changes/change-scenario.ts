import assert from "node:assert/strict";
import type { Pool } from "pg";
import { insertPolicy } from "../../../src/features/policies/queries.js";
import type { Rule } from "../../../src/domain/policy/policy.js";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { CHANGE_KINDS } from "../../../src/domain/vocabulary/vocabulary.js";
import { tenantsOf } from "../../support/postgres/postgres.js";
import {
  decisionBody,
  eventually,
  send,
  startTestService,
  type Reply,
  type RunningService,
} from "../../support/service/service.js";
import { createKey, newId, revokeKey } from "../../support/people/tenants.js";

export const CALM = { RATE_LIMIT_PER_MINUTE: "0", DECISION_WORKERS: "1" };
const always = (action: "hold" | "block"): Rule[] => [
  { rule_id: action, name: action, priority: 1, enabled: true, when: {}, then: { type: action } },
];
const BULK_ROWS = 10_000;

/** Publishes in PostgreSQL, as another node would. */
export async function publish(pool: Pool, workspaceId: string, action: "hold" | "block"): Promise<void> {
  const policy = { policy_id: newId("pol"), name: "P", default_provider: null, rules: always(action) };
  await insertPolicy(tenantsOf(pool).of(workspaceId), workspaceId, "demo_merchant", policy, true);
}

export const decide = (
  service: RunningService,
  key = service.key,
  merchantId = "demo_merchant",
): Promise<Reply> =>
  send(service, "POST", "/v1/decision", { body: decisionBody({ merchant_id: merchantId }), key });

export const actionOf = async (service: RunningService): Promise<unknown> =>
  (await decide(service)).json["action"];

/** Adds `rows` more notes of a merchant's change to the change feed. */
export async function fillFeed(pool: Pool, workspaceId: string, rows: number): Promise<void> {
  for (let written = 0; written < rows; written += BULK_ROWS) {
    await pool.query(
      "insert into changes (workspace_id, kind, key) select $1, $2, 'demo_merchant' from generate_series(1, $3::int)",
      [idToHex(workspaceId), CHANGE_KINDS.indexOf("merchant"), Math.min(BULK_ROWS, rows - written)],
    );
  }
}

/** A node that was away for a day must read `changes` changes, and the changed records, before it is ready. */
export async function assertCatchesUp(service: RunningService, changes: number): Promise<void> {
  const { pool, workspaceId } = service;
  await publish(pool, workspaceId, "hold");
  await eventually(async () => assert.equal(await actionOf(service), "hold"));
  const other = await createKey(pool, workspaceId);
  assert.equal((await decide(service, other)).status, 200);
  await service.stop();
  await fillFeed(pool, workspaceId, changes);
  await publish(pool, workspaceId, "block");
  await revokeKey(pool, other);
  await pool.query("update changes set changed_at = changed_at - interval '1 day' where kind <> $1", [
    CHANGE_KINDS.indexOf("merchant"),
  ]);
  await service.start();
  assert.equal(await actionOf(service), "block", "in its first decision");
  assert.equal((await decide(service, other)).status, 401);
}

/**
 * Starts two nodes on empty replicas at once, on the database of `first`. They must decide for `merchants` merchants
 * before their copies are complete.
 */
export async function assertServesWhileCopying(first: RunningService, merchants: number): Promise<void> {
  const { pool, workspaceId } = first;
  const url = pool.options.connectionString as string;
  const merchantId = (number: number): string => `m${String(number).padStart(7, "0")}`;
  for (let written = 0; written < merchants; written += BULK_ROWS) {
    await pool.query(
      `insert into merchants (workspace_id, merchant_id)
       select $1, 'm' || lpad(n::text, 7, '0') from generate_series($2::int, $3::int) n`,
      [idToHex(workspaceId), written + 1, written + BULK_ROWS],
    );
  }
  const start = async (): Promise<RunningService> => {
    const node = await startTestService({ ...CALM, DATABASE_URL: url, DEMO: "0" });
    node.key = first.key;
    return node;
  };
  const nodes = await Promise.all([start(), start()]);
  for (const node of nodes) {
    assert.equal((await decide(node, node.key, merchantId(merchants))).status, 200);
    assert.equal((await decide(node, node.key, merchantId(1))).status, 200);
    assert.equal((await decide(node, node.key, "nobody")).status, 403, "who is looked for and not found");
  }
  // Once the copies are complete, the nodes decide from them alone.
  for (const node of nodes) {
    await eventually(async () => {
      const metrics = await (await fetch(node.metricsUrl)).text();
      assert.match(metrics, /payinference_copies_complete 1/);
    }, 300_000);
    assert.equal((await decide(node, node.key, merchantId(merchants / 2))).status, 200);
  }
}
