import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import type pg from "pg";
import { MIRRORED_NODES, mirrorKeys } from "../../src/path/mirror/mirror-store.js";
import { NO_VALKEY, startValkey, type TestValkey } from "../support/edge/valkey.js";
import { assertNothingLost } from "../support/load/acknowledged.js";
import { assertAggregatesExact } from "../support/load/ledger-check.js";
import type { MerchantLedger } from "../support/load/merchant-ledger.js";
import { startMerchantLoad, type MerchantLoad } from "../support/load/merchant-load.js";
import { outcomeReport } from "../support/people/client-requests.js";
import { createTestDatabase } from "../support/postgres/postgres.js";
import { startNode } from "../support/service/node.js";
import { decisionBody, eventually, send, type RunningService } from "../support/service/service.js";

/** `MIRROR_ROUNDS=50 node dist/test/run.js nodes/journal-mirror` prints 50 rounds. */
const ROUNDS = Number(process.env["MIRROR_ROUNDS"] ?? 2);

let valkey: TestValkey;
let common: Readonly<Record<string, string>>;
let survivor: RunningService;

const startMirrored = async (): Promise<RunningService> => {
  const node = await startNode({ ...common, DEMO: "0", REGISTRATION: "open" });
  return Object.assign(node, { key: survivor.key, workspaceId: survivor.workspaceId });
};

const nodeIdOf = async ({ dataDir }: RunningService): Promise<string> =>
  (await readFile(join(dataDir, "journal", "node-id"), "utf8")).trim();

/** Prevents all nodes from storing the journal of `nodeId`, until `end` is called. */
async function holdBack(nodeId: string): Promise<{ end(): Promise<void> }> {
  const client = await survivor.pool.connect();
  await client.query("begin");
  await client.query("select from journal_positions where node_id = $1 for update", [nodeId]);
  return {
    async end() {
      // PostgreSQL must not execute statements that the node itself has sent. Then all its records are stored from its
      // stream.
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and application_name = 'payinference-writer'`,
      );
      await client.query("rollback");
      client.release();
    },
  };
}

/** Starts a load. Its decisions and outcomes are acknowledged, and none of them is stored. */
async function loadHeldBack(node: RunningService, nodeId: string) {
  const hold = await holdBack(nodeId);
  const { url, key } = node;
  const load = startMerchantLoad({ url, key, reviewer: "", ratePerSecond: 200 });
  await eventually(async () => assert.ok(load.ledger.outcomes.size > 20));
  const stored = await storedOf(survivor.pool, load.ledger);
  assert.equal(stored, 0, "the node stores nothing by itself");
  return { hold, load };
}

async function storedOf(pool: pg.Pool, { prefix }: MerchantLedger): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(
    "select count(*) from decisions where starts_with(order_id, $1)",
    [prefix],
  );
  return Number(rows[0]?.count);
}

/**
 * Asserts that PostgreSQL has every acknowledged decision and outcome once. PostgreSQL may also have a last report that
 * was not acknowledged.
 */
async function assertStoredOnce({ ledger }: MerchantLoad): Promise<void> {
  await assertNothingLost(survivor.pool, [ledger]);
  await eventually(async () => {
    const { rows } = await survivor.pool.query<{ decision_id: string; reports: string }>(
      `select decision_id, count(*) as reports from outcomes where starts_with(order_id, $1) group by decision_id`,
      [ledger.prefix],
    );
    assert.ok(rows.every(({ reports }) => reports === "1"));
    const stored = new Set(rows.map((row) => row.decision_id));
    const { rows: decided } = await survivor.pool.query<{ decision_id: string; order_id: string }>(
      "select decision_id, order_id from decisions where starts_with(order_id, $1)",
      [ledger.prefix],
    );
    const idOf = new Map(decided.map((row) => [row.order_id, row.decision_id]));
    const lost = [...ledger.outcomes.keys()].filter(
      (id) => !stored.has(idOf.get(ledger.acknowledged.get(id) ?? "") ?? ""),
    );
    assert.equal(lost.length, 0, `${lost.length} of ${ledger.outcomes.size} outcomes are lost`);
  });
}

async function metric(name: string): Promise<number> {
  const metrics = await (await fetch(survivor.metricsUrl)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1]);
}

const takenOver = (): Promise<number> => metric("payinference_mirror_records_taken_over_total");
const isOpen = (): Promise<number> => metric("payinference_mirror_open");

/** One row of the printed table. */
function toRow(fault: string, { ledger }: MerchantLoad, seconds: number): string {
  const { acknowledged, outcomes } = ledger;
  return `${fault}: ${acknowledged.size} decisions and ${outcomes.size} outcomes stored once, after ${seconds.toFixed(1)} s`;
}

describe("the mirror of a journal", { skip: NO_VALKEY }, () => {
  before(async () => {
    valkey = await startValkey(["--maxmemory-policy", "noeviction"]);
    const { url } = await createTestDatabase();
    common = {
      DATABASE_URL: url,
      CACHE_URL: valkey.url,
      CACHE_TIMEOUT_MS: "1000",
      JOURNAL_MIRROR: "1",
      RATE_LIMIT_PER_MINUTE: "0",
      DECISION_WORKERS: "1",
    };
    survivor = await startNode(common);
  });

  const frozen = async (node: RunningService, nodeId: string): Promise<string> => {
    const { hold, load } = await loadHeldBack(node, nodeId);
    const before = await takenOver();
    node.process.kill("SIGSTOP");
    await hold.end();
    const beganMs = performance.now();
    await eventually(async () => assert.ok((await takenOver()) > before));
    const seconds = (performance.now() - beganMs) / 1000;
    const acknowledged = load.ledger.acknowledged.size;
    node.process.kill("SIGCONT");
    // The node continues, and its later acknowledgements are stored as well.
    await eventually(async () => assert.ok(load.ledger.acknowledged.size > acknowledged + 10));
    await load.finish();
    await assertStoredOnce(load);
    return toRow("frozen", load, seconds);
  };

  const destroyed = async (node: RunningService, nodeId: string): Promise<string> => {
    const { hold, load } = await loadHeldBack(node, nodeId);
    await node.stop("SIGKILL");
    await Promise.all([load.cut(), rm(node.dataDir, { recursive: true, force: true })]);
    const beganMs = performance.now();
    await hold.end();
    await assertStoredOnce(load);
    const seconds = (performance.now() - beganMs) / 1000;
    // Records leave the stream once they are stored.
    const { stream, end } = mirrorKeys(nodeId);
    await eventually(async () => {
      assert.equal(await valkey.client.exists(stream), 0);
      assert.equal(await valkey.client.sismember(MIRRORED_NODES, nodeId), 0);
    });
    assert.ok((await valkey.client.ttl(end)) > 0);
    return toRow("destroyed", load, seconds);
  };

  it("DUR-22, DUR-23: a node that is frozen doubles nothing, and one that is destroyed with its disk loses nothing", async (t) => {
    for (let round = 0; round < ROUNDS; round++) {
      const node = await startMirrored();
      const nodeId = await nodeIdOf(node);
      t.diagnostic(await frozen(node, nodeId));
      t.diagnostic(await destroyed(node, nodeId));
    }
    await assertAggregatesExact(survivor);
  });

  it("DUR-19, DUR-20, DUR-28: while the shared cache hangs, decisions and outcomes are 503 and the node is not ready", async () => {
    const body = decisionBody();
    const decide = (headers = {}) => send(survivor, "POST", "/v1/decision", { body, headers });
    const first = await decide();
    assert.equal(first.status, 200);
    const report = { ...outcomeReport(String(first.json["decision_id"])), order_id: body["order_id"] };
    valkey.freeze();
    try {
      // These requests are committed but not mirrored, so none of them may be acknowledged.
      const answers = await Promise.all([
        decide(),
        decide({ "idempotency-key": "while-frozen" }),
        send(survivor, "POST", "/v1/outcomes", { body: report }),
      ]);
      assert.deepEqual(
        answers.map(({ status }) => status),
        [503, 503, 503],
      );
      const { status, text } = await send(survivor, "GET", "/ready");
      assert.equal(status, 503, text);
      assert.match(text, /"valkey":"unreachable"/);
      assert.equal(await isOpen(), 0);
    } finally {
      valkey.thaw();
    }
    await eventually(async () => assert.equal((await decide()).status, 200));
    await eventually(async () => assert.equal((await send(survivor, "GET", "/ready")).status, 200));
    assert.equal(await isOpen(), 1);
  });
});
