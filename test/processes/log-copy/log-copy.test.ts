import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { reconcile } from "../../../src/reconcile-command.js";
import { createTestDatabase } from "../../support/postgres/postgres.js";
import { NO_CLICKHOUSE, startClickHouse, type TestClickHouse } from "../../support/clickhouse/clickhouse.js";
import {
  copiedDecisions,
  copiedOutcomes,
  storedDecisions,
  storedOutcomes,
} from "../../support/clickhouse/log-rows.js";
import {
  decisionBody,
  eventually,
  send,
  startTestService,
  type RunningService,
} from "../../support/service/service.js";
import { runDoctor } from "../../support/service/doctor.js";

/** `npm test` kills a few times, and the full proof a hundred times. */
const KILLS = Number(process.env["LOG_COPY_KILLS"] ?? 3);
const BURST = 20;

let service: RunningService;
let clickHouse: TestClickHouse;
let databaseUrl = "";
let orders = 0;

/** Decides BURST orders, and reports an outcome for every second one. Returns the decisions' ids. */
async function decideBurst(note = ""): Promise<string[]> {
  return Promise.all(
    Array.from({ length: BURST }, async (_, at) => {
      const body = decisionBody({ order_id: `order_${orders++}${note}` });
      const { status, json } = await send(service, "POST", "/v1/decision", { body });
      assert.equal(status, 200);
      const decisionId = String(json["decision_id"]);
      if (at % 2 === 0) await report(decisionId, String(body["order_id"]), "approved");
      return decisionId;
    }),
  );
}

async function report(decisionId: string, orderId: string, outcome: string): Promise<void> {
  const { status } = await send(service, "POST", "/v1/outcomes", {
    body: {
      decision_id: decisionId,
      order_id: orderId,
      outcome,
      provider_used: "provider_1",
      provider_latency_ms: 120,
      amount: 129_900,
      currency: "USD",
    },
  });
  assert.equal(status, 200);
}

const environment = (): Record<string, string> => ({
  ANALYTICS_URL: clickHouse.url,
  DATABASE_URL: databaseUrl,
});

/** The command, ten minutes later. */
async function reconcileLater(...words: string[]): Promise<{ exitCode: number; output: string }> {
  const lines: string[] = [];
  const exitCode = await reconcile({
    environment: environment(),
    days: 1,
    repairs: words.includes("--repair"),
    print: (line) => lines.push(line),
    now: () => Date.now() + 600_000,
  });
  return { exitCode, output: lines.join("\n") };
}

/** Both servers have the same rows, each once. */
async function assertEqualLogs(decisions: number): Promise<void> {
  await eventually(async () => assert.equal((await copiedDecisions(clickHouse)).length, decisions));
  assert.deepEqual(await copiedDecisions(clickHouse), await storedDecisions(service.pool));
  await eventually(async () =>
    assert.deepEqual(await copiedOutcomes(clickHouse), await storedOutcomes(service.pool)),
  );
}

describe("the log in ClickHouse", { skip: NO_CLICKHOUSE }, () => {
  before(async () => {
    clickHouse = await startClickHouse();
    databaseUrl = (await createTestDatabase()).url;
    service = await startTestService({
      ANALYTICS_URL: clickHouse.url,
      DATABASE_URL: databaseUrl,
      RATE_LIMIT_PER_MINUTE: "0",
    });
  });

  it("CH-2, CH-5: has every decision with its document and every outcome, equal to PostgreSQL's", async () => {
    const [first = ""] = await decideBurst(' "quoted" \\ back');
    await assertEqualLogs(BURST);
    await report(first, `order_0 "quoted" \\ back`, "soft_declined");
    await eventually(async () =>
      assert.deepEqual(await copiedOutcomes(clickHouse), await storedOutcomes(service.pool)),
    );
    const [row] = await clickHouse.rows<{ codes: string[]; score: number }>(
      "select reason_codes as codes, risk_score as score from decisions order by toUInt128(decision_id) limit 1",
    );
    assert.ok(row !== undefined && row.codes.length > 0 && row.score > 0);
  });

  it(`CH-3: kill -9 between an insert and its confirmation loses nothing and doubles nothing, ${KILLS} times`, async () => {
    // A merge would hide a row that is there twice.
    await clickHouse.rows("system stop merges decisions");
    for (let kill = 0; kill < KILLS; kill++) {
      const inserted = clickHouse.holdNextInsert(kill % 3 === 2 ? "outcomes" : "decisions");
      await decideBurst();
      const token = await inserted;
      await service.stop("SIGKILL");
      clickHouse.release();
      const again = clickHouse.holdNextInsert(kill % 3 === 2 ? "outcomes" : "decisions");
      await service.start();
      // More has been decided by the time that the range is inserted again.
      await decideBurst();
      assert.equal(await again, token, "the same range");
      clickHouse.release();
      await service.killAndRestart();
    }
    await assertEqualLogs(orders);
  });

  it("CH-6: ClickHouse away or refusing changes nothing for decisions, and rows arrive once it is back", async () => {
    await clickHouse.kill();
    await decideBurst();
    await eventually(async () => {
      const { rows } = await service.pool.query("select from decisions");
      assert.equal(rows.length, orders);
    });
    await eventually(async () => assert.match(service.log(), /"where":"clickhouse"/));
    await clickHouse.start();
    clickHouse.refuse(true);
    await decideBurst();
    clickHouse.refuse(false);
    await assertEqualLogs(orders);
  });

  it("CH-4: another node continues the lane of a node that is gone", async () => {
    clickHouse.refuse(true);
    await decideBurst();
    const waiting = async (): Promise<number> =>
      (await service.pool.query("select from log_copy_batches where node_id <> 'gone'")).rows.length;
    await eventually(async () => assert.ok((await storedDecisions(service.pool)).length === orders));
    assert.ok((await waiting()) > 0);
    await service.pool.query(
      `with lane as (insert into log_copy_lanes (node_id, leased_by, leased_until)
         values ('gone', 'gone', now() + interval '2 s'))
       update log_copy_batches set node_id = 'gone', stored_at = stored_at - interval '10 minutes'`,
    );
    clickHouse.refuse(false);
    await assertEqualLogs(orders);
    const { rows } = await service.pool.query(
      "select from log_copy_lanes where node_id = 'gone' and position > 0",
    );
    assert.equal(rows.length, 1);
  });

  it("CH-10, CH-11: a range that ClickHouse lost is found and repaired, with reviews", async () => {
    const { pool } = service;
    await pool.query(
      `insert into reviews (workspace_id, mode, decision_id, resolution, resolved_by)
       select workspace_id, mode, decision_id, 0, workspace_id from decisions limit 3`,
    );
    await clickHouse.rows("system start merges decisions");
    await clickHouse.rows("alter table outcomes delete where outcome = 0 settings mutations_sync = 1");
    await clickHouse.rows("alter table decisions delete where decision_mode = 0 settings mutations_sync = 1");
    const found = await reconcileLater();
    assert.equal(found.exitCode, 1);
    assert.match(found.output, new RegExp(`decisions \\d+ / 0  outcomes \\d+ / 1  reviews \\d+ / 0`));
    const repaired = await reconcileLater("--repair");
    assert.equal(repaired.exitCode, 0, repaired.output);
    await assertEqualLogs(orders);
    assert.equal((await clickHouse.rows("select 1 from reviews final")).length, 3);
    // Another outcome with the same count.
    await pool.query("update outcomes set reported_at = reported_at + interval '1 s' where outcome = 1");
    assert.match((await reconcileLater("--repair")).output, /other outcomes/);
    await assertEqualLogs(orders);
    const command = await runDoctor(environment(), ["analytics", "reconcile", "--days", "2"]);
    assert.deepEqual([command.exitCode, command.output], [0, "0 hours of 2 days differ\n"]);
    const wrong = await runDoctor(environment(), ["analytics", "reconcile", "--days", "two"]);
    assert.deepEqual([wrong.exitCode, wrong.output.includes("usage:")], [1, true]);
  });

  it("CH-9: shows the lag, the rows and the failures", async () => {
    const text = await (await fetch(service.metricsUrl)).text();
    assert.match(text, /^payinference_analytics_lag_seconds \d/m);
    assert.match(text, /^payinference_analytics_rows_total\{kind="decision"\} [1-9]/m);
    assert.match(text, /^payinference_analytics_failures_total\{server="clickhouse"\} \d/m);
  });

  it("CH-8: the doctor says whether it takes the name and the password", async () => {
    assert.match(
      (await runDoctor({ ANALYTICS_URL: clickHouse.url })).of("clickhouse").join(),
      /^ok: ClickHouse \d/,
    );
    const wrong = clickHouse.url.replace(/:[^:@]*@/, ":wrong@");
    assert.match((await runDoctor({ ANALYTICS_URL: wrong })).of("clickhouse").join(), /^wrong: /);
    assert.match((await runDoctor({})).of("clickhouse").join(), /^skipped: ANALYTICS_URL is not set/);
  });
});
