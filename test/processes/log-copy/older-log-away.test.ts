import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { LIMITS } from "../../../src/domain/vocabulary/limits.js";
import { OLDER_LOG } from "../../../src/domain/vocabulary/tuning/older-log.js";
import { idToHex } from "../../../src/domain/ids/ids.js";
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
    assert.equal(aggregate.json["total"], ROWS + 2);
    assert.equal(aggregate.json["reason_code_sample"], 2);
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

async function decide(): Promise<string> {
  const { status, json } = await send(service, "POST", "/v1/decision", { body: decisionBody() });
  assert.equal(status, 200);
  return String(json["decision_id"]);
}
