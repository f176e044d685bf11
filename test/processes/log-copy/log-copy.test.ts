import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { reconcile } from "../../../src/reconcile-command.js";
import { runRetention } from "../../../src/features/retention/retention-run.js";
import { weekOf } from "../../../src/path/writer/copy/decision-week.js";
import { createDecisionWriter } from "../../../src/path/writer/decision-writer.js";
import { NO_REST } from "../../../src/platform/timing/pace.js";
import { decisionRow, decisionsOnly } from "../../support/rows/decision-rows.js";
import { whileCopying } from "../../../src/path/log-copy/copy-lock.js";
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
  sendRead,
  startTestService,
  type RunningService,
} from "../../support/service/service.js";
import { ask, login, personOf, post } from "../../support/people/accounts.js";
import { createKey, createWorkspace, setWorkspaceStatus } from "../../support/people/tenants.js";
import { untilPasses } from "../../support/waiting/eventually.js";
import { idToHex, idToUuid } from "../../../src/domain/ids/ids.js";
import { runDoctor } from "../../support/service/doctor.js";

/** `npm test` kills the service a few times, and the full proof a hundred times. */
const KILLS = Number(process.env["LOG_COPY_KILLS"] ?? 3);
const BURST = 20;
const ADMIN_EMAIL = "root@pay.example";
const ADMIN_PASSWORD = "platform password";

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

async function report(
  decisionId: string,
  orderId: string,
  outcome: string,
  key: string | null = service.key,
): Promise<void> {
  const { status } = await send(service, "POST", "/v1/outcomes", {
    key,
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

/** Runs the command with a clock that is ten minutes ahead, so that all records count as settled. */
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

/** Asserts that both servers have the same rows, each once. */
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
      PLATFORM_ADMIN_EMAIL: ADMIN_EMAIL,
      PLATFORM_ADMIN_PASSWORD: ADMIN_PASSWORD,
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
    // Without this, ClickHouse could merge two copies of a row, and the test would miss them.
    await clickHouse.rows("system stop merges decisions");
    for (let kill = 0; kill < KILLS; kill++) {
      const inserted = clickHouse.holdNextInsert(kill % 3 === 2 ? "outcomes" : "decisions");
      await decideBurst();
      const token = await inserted;
      await service.stop("SIGKILL");
      clickHouse.release();
      const again = clickHouse.holdNextInsert(kill % 3 === 2 ? "outcomes" : "decisions");
      await service.start();
      // More decisions arrive before the same range is inserted again.
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
    // The insert is confirmed after ClickHouse shows its rows.
    await eventually(async () => {
      const { rows } = await service.pool.query(
        "select from log_copy_lanes where node_id = 'gone' and position > 0",
      );
      assert.equal(rows.length, 1);
    });
  });

  it("CH-21: a review, the outcome that it records and an outcome that waited arrive by themselves", async () => {
    const { pool } = service;
    // The outcomes of earlier bursts are counted below, and a busy host may not have stored all of them yet.
    await eventually(async () => assert.equal((await storedOutcomes(pool)).length, orders / 2));
    const without = `from decisions d where not exists (select from outcomes o where o.decision_id = d.decision_id)`;
    // Another node reported the outcome before this one stored the decision.
    await pool.query(
      `insert into unmatched_outcomes (workspace_id, mode, decision_id, reported_at_ms, created_at_ms, outcome, order_id,
         provider_used, provider_latency_ms, currency, amount_minor)
       select workspace_id, mode, decision_id, 1, 1, 1, order_id, 'provider_1', 120, currency, amount_minor
       ${without} order by decision_id limit 1`,
    );
    // A review and its outcome are stored in one transaction.
    await pool.query(
      `with held as (select * ${without} order by decision_id desc limit 3),
       reviewed as (
         insert into reviews (workspace_id, mode, decision_id, resolution, resolved_by)
         select workspace_id, mode, decision_id, 1, workspace_id from held)
       insert into outcomes (workspace_id, mode, decision_id, outcome, order_id, reported_at)
       select workspace_id, mode, decision_id, 6, order_id, now() from held`,
    );
    await decideBurst();
    // Half of the orders have an outcome, and so have the three reviewed ones and the one whose outcome waited.
    await eventually(async () => assert.equal((await storedOutcomes(pool)).length, orders / 2 + 3 + 1));
    await assertEqualLogs(orders);
    await eventually(async () =>
      assert.equal((await clickHouse.rows("select 1 from reviews final")).length, 3),
    );
    await eventually(async () =>
      assert.equal((await pool.query("select from log_copy_feedback")).rowCount, 0),
    );
  });

  it("CH-10, CH-11: a range that ClickHouse lost is found and repaired, with reviews", async () => {
    const { pool } = service;
    await clickHouse.rows("system start merges decisions");
    await clickHouse.rows("alter table reviews delete where 1 settings mutations_sync = 1");
    await clickHouse.rows("alter table outcomes delete where outcome = 0 settings mutations_sync = 1");
    await clickHouse.rows("alter table decisions delete where decision_mode = 0 settings mutations_sync = 1");
    const found = await reconcileLater();
    assert.equal(found.exitCode, 1);
    assert.match(found.output, new RegExp(`decisions \\d+ / 0  outcomes \\d+ / 5  reviews \\d+ / 0`));
    const repaired = await reconcileLater("--repair");
    assert.equal(repaired.exitCode, 0, repaired.output);
    await assertEqualLogs(orders);
    assert.equal((await clickHouse.rows("select 1 from reviews final")).length, 3);
    // The outcomes change, but their number does not.
    await pool.query("update outcomes set reported_at = reported_at + interval '1 s' where outcome = 1");
    assert.match((await reconcileLater("--repair")).output, /other outcomes/);
    await assertEqualLogs(orders);
    const command = await runDoctor(environment(), ["analytics", "reconcile", "--days", "2"]);
    assert.deepEqual([command.exitCode, command.output], [0, "0 hours of 2 days differ\n"]);
    const wrong = await runDoctor(environment(), ["analytics", "reconcile", "--days", "two"]);
    assert.deepEqual([wrong.exitCode, wrong.output.includes("usage:")], [1, true]);
  });

  it("CH-22: a week past the limit stays in PostgreSQL until ClickHouse has its rows", async () => {
    const { pool } = service;
    // The newest week past the limit. An older one has waited for long enough.
    const { startMs } = weekOf(Date.now() - 400 * 86_400_000);
    const row = decisionRow({ workspaceId: service.workspaceId }, startMs - 1);
    clickHouse.refuse(true);
    await createDecisionWriter(pool, { nodeId: "old", notesBatches: true }).write(decisionsOnly([row]), 1);
    // Another node's lane is taken up once it has waited.
    await pool.query("update log_copy_batches set stored_at = stored_at - interval '10 minutes'");
    const run = async (): Promise<[waiting: number | undefined, dropped: number]> => {
      const client = await pool.connect();
      let dropped = 0;
      const left = await runRetention(client, {
        serviceDays: 400,
        now: Date.now,
        store: null,
        pace: NO_REST,
        waitsForCopies: true,
        onDropped: (isCopied) => void (dropped += Number(isCopied)),
        onRewritten: () => undefined,
      }).finally(() => client.release(true));
      return [left?.waiting, dropped];
    };
    // A node that cannot reach ClickHouse gives up another's lane. It would otherwise hold it for as long as it fails.
    await eventually(async () => {
      const { rows } = await pool.query("select from log_copy_lanes where node_id = 'old'");
      assert.equal(rows.length, 1);
    });
    assert.deepEqual(await run(), [1, 0]);
    clickHouse.refuse(false);
    await eventually(async () => assert.deepEqual(await run(), [0, 1]));
    const copied = await clickHouse.rows(
      `select 1 from decisions where decision_id = '${idToUuid(row.decisionId)}'`,
    );
    assert.equal(copied.length, 1);
  });

  it("RET-25: what is erased leaves it too, with its outcomes and reviews, and nothing else does", async () => {
    const { pool } = service;
    const workspaceId = await createWorkspace(service, { merchants: ["kept", "gone"] });
    const key = await createKey(pool, workspaceId);
    for (const merchant_id of ["gone", "kept", "gone"]) {
      const order_id = `order_${orders++}`;
      const { json } = await send(service, "POST", "/v1/decision", {
        body: decisionBody({ merchant_id, order_id }),
        key,
      });
      await report(String(json["decision_id"]), order_id, "approved", key);
    }
    await sendRead(service, "GET", "/v1/decisions", { key });
    await pool.query(
      `insert into reviews (workspace_id, mode, decision_id, resolution, resolved_by)
       select workspace_id, mode, decision_id, 0, workspace_id from decisions where workspace_id = $1`,
      [idToHex(workspaceId)],
    );
    const copied = (table: string) =>
      clickHouse.rows(`select 1 from ${table} final where workspace_id = '${idToUuid(workspaceId)}'`);
    await eventually(async () => assert.equal((await copied("outcomes")).length, 3));
    await eventually(async () => assert.equal((await copied("reviews")).length > 0, true));
    // createWorkspace has made some decisions of the last merchant. They are copied as well.
    const made = (await copied("decisions")).length;
    const others = async () =>
      clickHouse.rows(`select decision_id from decisions final
        where workspace_id <> '${idToUuid(workspaceId)}' order by 1`);
    const before = await others();
    const admin = personOf(await login(service, ADMIN_EMAIL, ADMIN_PASSWORD));
    const erase = async (body: object): Promise<Record<string, number>> => {
      const { json, text } = await post(service, "/v1/admin/erasures", body, admin.token);
      const path = `/v1/admin/erasures/${(json["erasure"] as { id: string } | undefined)?.id}`;
      let counts = {};
      await untilPasses(async () => {
        const erasure = (await ask(service, "GET", path, admin.token)).json["erasure"] as Record<
          string,
          object
        >;
        assert.equal(erasure["status"], "done", text);
        counts = erasure["counts"] as object;
      });
      return counts;
    };
    const gone = await erase({ workspace_id: workspaceId, merchant_id: "gone" });
    assert.deepEqual([gone["clickhouse_decisions"], gone["clickhouse_outcomes"]], [made - 1, 2]);
    assert.deepEqual(
      [
        (await copied("decisions")).length,
        (await copied("outcomes")).length,
        (await copied("reviews")).length,
      ],
      [1, 1, 1],
    );
    await setWorkspaceStatus(pool, workspaceId, "suspended");
    // Simulates a copy that has read the rows before they are removed, and has not inserted them yet.
    let goOn = (): void => undefined;
    const copy = whileCopying(pool, () => new Promise<void>((resolve) => (goOn = resolve)));
    const erased = erase({ workspace_id: workspaceId });
    await eventually(async () => {
      const { rows } = await pool.query("select from pg_locks where locktype = 'advisory' and not granted");
      assert.equal(rows.length, 1);
    });
    assert.equal((await copied("decisions")).length, 1);
    goOn();
    await Promise.all([copy, erased]);
    for (const table of ["decisions", "outcomes", "reviews"])
      assert.deepEqual(await copied(table), [], table);
    assert.deepEqual(await others(), before);
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
