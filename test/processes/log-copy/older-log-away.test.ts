import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { LIMITS } from "../../../src/domain/vocabulary/limits.js";
import { OLDER_LOG } from "../../../src/domain/vocabulary/tuning/older-log.js";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { EVERY_DECISION } from "../../../src/domain/vocabulary/decision-scope.js";
import { olderConditions } from "../../../src/features/decisions/queries/older-rows.js";
import { openClickHouse } from "../../../src/platform/clickhouse/clickhouse.js";
import type { OlderLog } from "../../../src/platform/postgres/tenant-db.js";
import { ExportMaker } from "../../../src/features/exports/maker/export-maker.js";
import { openTenants, storeInBoth } from "../../support/clickhouse/both-logs.js";
import { NO_CLICKHOUSE, startClickHouse, type TestClickHouse } from "../../support/clickhouse/clickhouse.js";
import { variedLog } from "../../support/clickhouse/varied-log.js";
import { createTestDatabase } from "../../support/postgres/postgres.js";
import { newId } from "../../support/rows/decision-rows.js";
import {
  decisionBody,
  eventually,
  send,
  sendRead,
  startTestService,
  type RunningService,
} from "../../support/service/service.js";

const DAY_MS = 86_400_000;
const ROWS = 60;

let service: RunningService;
let clickHouse: TestClickHouse;
let databaseUrl = "";
/** Decisions of the service's workspace, ten days old. */
let olderIds: string[] = [];
const nowMs = Date.now();

describe("ClickHouse away, with a log beyond what PostgreSQL keeps", { skip: NO_CLICKHOUSE }, () => {
  before(async () => {
    clickHouse = await startClickHouse();
    databaseUrl = (await createTestDatabase()).url;
    service = await startTestService({
      ANALYTICS_URL: clickHouse.url,
      DATABASE_URL: databaseUrl,
      RETENTION_DAYS: "1",
      RATE_LIMIT_PER_MINUTE: "0",
      // A query of ClickHouse may take 4.5 s: long enough for what must end before, on a busy host too.
      PAYINFERENCE_TEST_PATIENCE: "5",
    });
    const { pool, workspaceId } = service;
    await pool.query("update workspaces set created_at = now() - interval '1 year'");
    const atMs = nowMs - 10 * DAY_MS;
    const options = { workspaceId, count: ROWS, nowMs: atMs, ageMsMax: 3_600_000, crowdedMs: atMs };
    const log = variedLog(options);
    const decisions = log.decisions.map((row) => ({ ...row, mode: 0 }));
    olderIds = decisions.map(({ decisionId }) => decisionId);
    await storeInBoth(pool, clickHouse.url, workspaceId, {
      ...log,
      decisions,
      outcomes: [],
      costs: [],
      retries: [],
    });
    await decide();
  });

  it("CH-12, CH-13: the service's own threads read it", async () => {
    const [oldest = ""] = olderIds;
    const list = await eventually(async () => {
      const answer = await sendRead(service, "GET", "/v1/decisions?order=oldest&page_size=50");
      assert.equal(answer.status, 200, JSON.stringify(answer.json));
      return answer.json as { total: number; decisions: { decision_id: string }[] };
    });
    assert.equal(list.total, ROWS + 1);
    assert.deepEqual(
      list.decisions.map(({ decision_id }) => decision_id),
      olderIds.slice(0, 50),
    );
    assert.equal((await sendRead(service, "GET", `/v1/decisions/${oldest}`)).status, 200);
  });

  it("CH-12: an order's id is looked up by an index, which leaves out every block of rows without it", async () => {
    const scope = { workspaceId: service.workspaceId, mode: "test", merchantScope: null } as const;
    const whole = { low: "0".repeat(32), high: "f".repeat(32), scope, older: {} as OlderLog };
    const filter = { ...EVERY_DECISION, orderId: "nobody's order" };
    const { text, texts } = olderConditions(scope, filter, whole);
    const log = openClickHouse({ url: clickHouse.url, requestTimeoutMs: 60_000, applicationName: "test" });
    const explained = await log.rows<{ explain: string }>(
      `explain indexes = 1 select 1 from decisions where ${text}`,
      texts,
    );
    await log.close();
    const plan = explained.map(({ explain }) => explain.trim()).join("\n");
    assert.match(plan, /Skip\nName: order_id\n[^]*?Granules: 0\/[1-9]/, plan);
  });

  it("CH-24: a ClickHouse that does not answer holds up no decision and no read within the limit", async () => {
    const held = clickHouse.stall();
    let ended = 0;
    const beyond = Array.from({ length: OLDER_LOG.atOnceMax }, () => readBeyond().finally(() => ended++));
    await held(OLDER_LOG.atOnceMax);
    const refused = await readBeyond();
    const recent = await decide();
    const from = new Date(Date.now() - DAY_MS / 2).toISOString();
    for (const path of [`/v1/decisions?from=${from}`, `/v1/decisions/${recent}`, "/v1/decisions/aggregate"]) {
      assert.equal((await sendRead(service, "GET", path)).status, 200, path);
    }
    assert.equal(ended, 0, "all of that ends while the queries are held back");
    // Nothing answers these queries, so their own time limit ends them.
    for (const answer of [refused, ...(await Promise.all(beyond))]) {
      assert.deepEqual([answer.status, answer.code], [503, "older_log_unavailable"]);
    }
    clickHouse.goOn();
    await eventually(async () => assert.equal((await readBeyond()).status, 200));
  });

  it("CH-23: /metrics counts the queries of ClickHouse by thread and result, and their time", async () => {
    const { pool, workspaceId } = service;
    await pool.query(
      `insert into exports (workspace_id, export_id, created_by, kind, format, mode, since, until, filters)
       values ($1, $2, $3, 'decisions', 'csv', 0, now() - interval '20 days', now(), '{}')`,
      [workspaceId, newId("xpt"), newId("usr")].map(idToHex),
    );
    await eventually(async () => {
      const text = await (await fetch(service.metricsUrl)).text();
      const value = (series: string): number =>
        Number(
          text
            .split("\n")
            .find((line) => line.startsWith(`payinference_analytics_${series} `))
            ?.split(" ")[1],
        );
      const queries = (thread: string, result: string): number =>
        value(`queries_total{thread="${thread}",result="${result}"}`);
      assert.ok(queries("reader", "ok") > 0);
      assert.ok(queries("reader", "error") >= OLDER_LOG.atOnceMax);
      assert.ok(queries("reader", "refused") > 0);
      assert.ok(queries("exports", "ok") > 0);
      assert.equal(
        value('query_duration_seconds_count{thread="reader"}'),
        queries("reader", "ok") + queries("reader", "error"),
      );
    });
  });

  it("CH-18, CH-20: reads beyond the limit are 503 with a code, and all others and decisions go on", async () => {
    const [oldest = ""] = olderIds;
    await clickHouse.kill();
    for (let times = 0; times < OLDER_LOG.failuresMax + 2; times++) {
      for (const path of [
        "/v1/decisions?order=oldest",
        `/v1/decisions/${oldest}`,
        "/v1/decisions?order_id=nobody",
      ]) {
        const answer = await fetch(service.url + path, { headers: { "x-api-key": service.key } });
        assert.equal(answer.status, 503, path);
        assert.equal(answer.headers.get("retry-after"), String(LIMITS.olderLogRetrySeconds));
        assert.deepEqual(await answer.json(), {
          statusCode: 503,
          message: "Decisions of this time cannot be read right now",
          error: "Service Unavailable",
          code: "older_log_unavailable",
        });
      }
    }
    const recent = await decide();
    const from = new Date(Date.now() - DAY_MS / 2).toISOString();
    for (const path of [
      "/v1/decisions?page_size=1",
      `/v1/decisions?from=${from}&order_id=nobody`,
      `/v1/decisions?from=${from}&q=ord`,
      `/v1/decisions/${recent}`,
      "/v1/decisions/aggregate",
    ]) {
      assert.equal((await sendRead(service, "GET", path)).status, 200, path);
    }
    const aggregate = await sendRead(service, "GET", "/v1/decisions/aggregate");
    assert.equal(aggregate.json["total"], ROWS + 3);
    assert.equal(aggregate.json["reason_code_sample"], 3);
  });

  it("CH-19: an export beyond the limit fails at once and says why, and one within it does not", async () => {
    const tenants = openTenants(databaseUrl, Date.now(), { url: clickHouse.url, days: 1 });
    const { pool, workspaceId } = service;
    await service.stop();
    const failures: unknown[] = [];
    const maker = new ExportMaker({
      pool,
      tenants,
      nodeId: "maker",
      fileBytesMax: 1e6,
      longBytes: 1e6,
      onLong: () => undefined,
      now: Date.now,
      onError: (error) => failures.push(error),
    });
    for (const [days, expected] of [
      [20, { status: "failed", error: "older_log_unavailable" }],
      [0.5, { status: "done", error: null }],
    ] as const) {
      const exportId = newId("xpt");
      const since = new Date(Date.now() - days * DAY_MS);
      await pool.query(
        `insert into exports (workspace_id, export_id, created_by, kind, format, mode, since, until, filters)
         values ($1, $2, $3, 'decisions', 'csv', 0, $4, now() + interval '1 hour', '{}')`,
        [...[workspaceId, exportId, newId("usr")].map(idToHex), since],
      );
      await eventually(async () => {
        await maker.look();
        const { rows } = await pool.query("select status, error from exports where export_id = $1", [
          idToHex(exportId),
        ]);
        assert.deepEqual(rows, [expected]);
      });
    }
    assert.deepEqual(failures, []);
    await maker.stop();
  });
});

/** Reads the oldest decision, which only ClickHouse has. */
async function readBeyond(): Promise<{ status: number; code: unknown }> {
  const answer = await fetch(`${service.url}/v1/decisions/${olderIds[0]}`, {
    headers: { "x-api-key": service.key },
  });
  const body = (await answer.json()) as { code?: string };
  return { status: answer.status, code: body.code };
}

async function decide(): Promise<string> {
  const { status, json } = await send(service, "POST", "/v1/decision", { body: decisionBody() });
  assert.equal(status, 200);
  return String(json["decision_id"]);
}
