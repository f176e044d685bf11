import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { createDecisionList, type DecisionListQuery } from "../../../src/features/decisions/decision-list.js";
import type { AnalyticsQuery } from "../../../src/features/analytics/analytics-query.js";
import { createAnalyticsSummary } from "../../../src/features/analytics/service.js";
import { createDecisionAggregate } from "../../../src/features/decisions/decision-aggregate.js";
import { createDecisionReader } from "../../../src/features/decisions/decision-reader.js";
import { findStoredDecision } from "../../../src/features/decisions/stored-decision.js";
import { createEncoder } from "../../../src/features/exports/maker/encoder.js";
import { pagesOf } from "../../../src/features/exports/maker/sources.js";
import type { ExportFilters } from "../../../src/features/exports/wire/export-schema.js";
import type { DecisionList } from "../../../src/features/decisions/wire/decision-log-schema.js";
import {
  EVERY_DECISION,
  NO_SIEVE,
  type DecisionFilter,
  type DecisionScope,
  type DecisionSieve,
} from "../../../src/domain/vocabulary/decision-scope.js";
import {
  ACTIONS,
  CARD_NETWORKS,
  EXPORT_FORMATS,
  MODES,
  OUTCOMES,
  PAYMENT_METHODS,
  type ExportFormat,
  type Mode,
} from "../../../src/domain/vocabulary/vocabulary.js";
import { LIMITS } from "../../../src/domain/vocabulary/limits.js";
import { RANGES } from "../../../src/domain/vocabulary/range.js";
import { idTimeMs, idToHex } from "../../../src/domain/ids/ids.js";
import { removePastOwnLimits } from "../../../src/path/log-copy/own-limits.js";
import { DECISION_COLUMNS } from "../../../src/path/log-copy/stored-rows.js";
import { openClickHouse } from "../../../src/platform/clickhouse/clickhouse.js";
import { SNAPSHOT, type TenantDb } from "../../../src/platform/postgres/tenant-db.js";
import { insertTwice, openTenants, storeInBoth } from "../../support/clickhouse/both-logs.js";
import { NO_CLICKHOUSE, startClickHouse, type TestClickHouse } from "../../support/clickhouse/clickhouse.js";
import { variedLog, type VariedLog } from "../../support/clickhouse/varied-log.js";
import { createTestDatabase, type TestDatabase } from "../../support/postgres/postgres.js";
import { closeLater } from "../../support/closing.js";
import { eventually } from "../../support/waiting/eventually.js";
import { newId, NOW_MS } from "../../support/rows/decision-rows.js";
import { parsed } from "../../support/rows/parsed.js";

/** The proof compares six hundred decisions. A million need a heap of 12 GB: NODE_OPTIONS=--max-old-space-size=12000. */
const ROWS = Number(process.env["OLDER_LOG_ROWS"] ?? 600);
/** A list answers at most `offsetRowsMax` rows. */
const PAGE_ROWS = Math.min(LIMITS.offsetRowsMax - 1, Math.max(200, Math.ceil(ROWS / 40)));
/** Every so many decisions, one is looked at in detail. */
const DETAIL_EVERY = Math.max(9, Math.round(ROWS / 2000));
const LIVE = MODES.indexOf("live");
const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];
const DAYS = 30;
/** The time is in the middle of an hour, so that the limit cuts an hour in two. */
const TIME_MS = NOW_MS + 23 * MINUTE_MS + 17;
const LIMIT_MS = TIME_MS - DAYS * DAY_MS;

const workspaceId = newId("ws");
const scope: DecisionScope = { workspaceId, mode: "live", merchantScope: null };
let clickHouse: TestClickHouse;
let database: TestDatabase;
let databaseUrl = "";
let log: VariedLog;
/** Reads a PostgreSQL that keeps everything. */
let whole: TenantDb;
/** Reads only the last DAYS days from PostgreSQL, and the rest from ClickHouse. */
let split: TenantDb;

const NO_POLICY = () => Promise.resolve(null);

const filtered = (filter: Partial<DecisionFilter>, sieve: Partial<DecisionSieve> = {}) => ({
  filter: { ...EVERY_DECISION, ...filter },
  sieve: { ...NO_SIEVE, ...sieve },
});

/**
 * Every filter alone, and pairs of filters that are read in different ways: by rollups, by facets, by an index, by
 * rows.
 */
const QUERIES = [
  filtered({}),
  ...ACTIONS.map((action) => filtered({ action })),
  filtered({ decisionMode: "enforce" }),
  filtered({ decisionMode: "shadow", action: "hold" }),
  filtered({ unresolved: true }),
  filtered({ unresolved: true, action: "hold", merchantId: "merchant_a" }),
  filtered({ merchantId: "merchant_b" }),
  filtered({ currency: "NGN" }),
  filtered({ country: "" }),
  filtered({ country: "NG", currency: "JPY" }),
  filtered({ paymentMethod: PAYMENT_METHODS[1] ?? null }),
  filtered({ cardNetwork: CARD_NETWORKS[0] ?? null, merchantId: "merchant_a" }),
  filtered({ cardNetwork: "" }),
  filtered({ provider: "" }),
  filtered({ provider: "provider_2", unresolved: true }),
  filtered({ orderId: "ördër 🚀" }),
  filtered({ orderId: 'it\'s \\ "quoted"', action: "route" }),
  filtered({ orderId: "tab\tline\nend" }),
  filtered({ orderId: "{order_id:String}" }),
  filtered({ orderId: "nobody's" }),
  filtered({ sinceMs: LIMIT_MS - 10 * MINUTE_MS }),
  filtered({ sinceMs: LIMIT_MS - 20 * DAY_MS, untilMs: LIMIT_MS + 5 * MINUTE_MS }),
  filtered({ untilMs: LIMIT_MS - 3 * MINUTE_MS, currency: "USD" }),
  filtered({ sinceMs: LIMIT_MS - 9 * MINUTE_MS, untilMs: LIMIT_MS - MINUTE_MS, action: "block" }),
  filtered({ sinceMs: LIMIT_MS }),
  filtered({}, { amountMin: 150_000 }),
  filtered({}, { amountMin: Number.MAX_SAFE_INTEGER - 4, amountMax: Number.MAX_SAFE_INTEGER }),
  filtered({ action: "step_up" }, { amountMax: 20_000 }),
  filtered({}, { riskBand: "high" }),
  ...OUTCOMES.map((outcome) => filtered({}, { outcome })),
  filtered({ orderId: "ord" }, { outcome: "approved" }),
  filtered({}, { reasonCode: "NO_ROUTE" }),
  filtered({ currency: "USD" }, { reasonCode: "AMOUNT_HIGH", riskBand: "low" }),
];

const SEARCHES = ["ördër 🚀", "ord", "order_1", "order_19", "tab\tl", "nobody"];

async function assertSame(asked: DecisionListQuery, by: DecisionScope = scope): Promise<DecisionList> {
  const [expected, found] = await Promise.all([
    createDecisionList(whole)(by, asked),
    createDecisionList(split)(by, asked),
  ]);
  // The comparison is of texts, so that each byte of a row counts.
  assert.equal(found, expected, JSON.stringify(asked));
  return parsed(found);
}

/** Walks by both cursors until the end, and compares each page. Returns the ids from the newest to the oldest. */
async function walk(query: Pick<DecisionListQuery, "filter" | "sieve" | "search">, pageSize: number) {
  const ids: string[] = [];
  let cursor: DecisionListQuery["cursor"] = null;
  for (;;) {
    const page: DecisionList = await assertSame({ ...query, pageSize, page: 1, cursor });
    ids.push(...page.decisions.map(({ decision_id }) => decision_id));
    const next: string | undefined = page.searched_to ?? page.decisions.at(-1)?.decision_id;
    if (next === undefined || !page.has_more) break;
    cursor = { kind: "older_than", decisionId: next };
  }
  const oldest = ids.at(-1);
  if (oldest !== undefined) cursor = { kind: "newer_than", decisionId: oldest };
  for (let pages = 0; cursor !== null && pages < 1; pages++) {
    const page: DecisionList = await assertSame({ ...query, pageSize, page: 1, cursor });
    const next = page.decisions[0]?.decision_id;
    cursor = next === undefined ? null : { kind: "newer_than", decisionId: next };
  }
  return ids;
}

describe("the log beyond what PostgreSQL keeps", { skip: NO_CLICKHOUSE }, () => {
  before(async () => {
    database = await createTestDatabase();
    databaseUrl = database.url;
    clickHouse = await startClickHouse();
    log = variedLog({
      workspaceId,
      count: ROWS,
      nowMs: TIME_MS,
      ageMsMax: 2 * DAYS * DAY_MS,
      crowdedMs: LIMIT_MS,
    });
    await storeInBoth(database.pool, clickHouse.url, workspaceId, log);
    await insertTwice(clickHouse);
    whole = openTenants(database.url, TIME_MS, null);
    split = openTenants(database.url, TIME_MS, { url: clickHouse.url, days: DAYS });
  });

  it("CH-12: every filter lists the same rows, page by page across the limit, as one server with everything", async () => {
    for (const query of QUERIES) {
      const ids = await walk(query, PAGE_ROWS);
      assert.equal(new Set(ids).size, ids.length, "each row once");
    }
    const everything = log.decisions.filter(({ mode }) => mode === LIVE).map(({ decisionId }) => decisionId);
    const walked = await walk(filtered({}), Math.min(PAGE_ROWS, Math.max(97, Math.ceil(ROWS / 150))));
    assert.equal(walked.length, everything.length);
    assert.deepEqual(walked, everything.toSorted().toReversed());
  });

  it("CH-12: pages by offset, oldest first, of a merchant's key and of a search are the same too", async () => {
    for (const query of QUERIES) {
      for (const isOldestFirst of [false, true]) {
        for (const page of [isOldestFirst ? 2 : 7]) {
          await assertSame({ ...query, pageSize: 50, page, cursor: null, isOldestFirst });
        }
      }
    }
    for (const search of [...SEARCHES, log.decisions[3]?.decisionId ?? "", "dec_01"]) {
      await walk({ ...filtered({}), search }, PAGE_ROWS);
      await assertSame({ ...filtered({ sinceMs: LIMIT_MS }), search, pageSize: 10, page: 1, cursor: null });
    }
    const ofMerchant = { ...scope, merchantScope: "merchant_a" };
    const page = await assertSame({ ...filtered({}), pageSize: 100, page: 2, cursor: null }, ofMerchant);
    assert.ok(page.decisions.length > 0);
    // A key may not use a decision of another merchant as its cursor.
    const other = log.decisions.find(({ merchantId, mode }) => merchantId === "merchant_b" && mode === LIVE);
    const cursor = { kind: "newer_than", decisionId: other?.decisionId ?? "" } as const;
    const empty = await assertSame({ ...filtered({}), pageSize: 10, page: 1, cursor }, ofMerchant);
    assert.deepEqual(empty.decisions, []);
  });

  it("CH-13: a decision beyond the limit has its detail and its document, byte for byte", async () => {
    const detail = {
      whole: createDecisionReader(whole, NO_POLICY),
      split: createDecisionReader(split, NO_POLICY),
    };
    for (const { decisionId, mode, merchantId } of log.decisions.filter((_, at) => at % DETAIL_EVERY === 0)) {
      const owner: DecisionScope = {
        workspaceId,
        mode: MODES[mode] as Mode,
        merchantScope: merchantId,
      };
      const stored = await findStoredDecision(split, owner, decisionId);
      assert.deepEqual(stored, await findStoredDecision(whole, owner, decisionId));
      assert.deepEqual(await detail.split(owner, decisionId), await detail.whole(owner, decisionId));
      for (const stranger of [
        { ...owner, mode: MODES[1 - mode] as Mode },
        { ...owner, merchantScope: "merchant_c" },
        { ...owner, workspaceId: newId("ws") },
      ]) {
        assert.equal(await detail.split(stranger, decisionId), null);
      }
    }
    assert.equal(await detail.split(scope, newId("dec", LIMIT_MS - DAY_MS)), null);
  });

  it("CH-14: exports across the limit are the same files, in each format and with filters", async () => {
    const bytesOf = async (
      tenants: TenantDb,
      format: ExportFormat,
      filters: ExportFilters,
    ): Promise<Buffer> => {
      const encoder = await createEncoder(format, "decisions");
      const parts = [encoder.begin()];
      await tenants.of(workspaceId).transaction(async (client) => {
        const range = { sinceMs: LIMIT_MS - 15 * DAY_MS, untilMs: TIME_MS };
        const request = { kind: "decisions", format, mode: "live", filters, ...range } as const;
        for await (const { rows } of pagesOf({ client, request, nowMs: TIME_MS }))
          parts.push(encoder.rows(rows));
      }, SNAPSHOT);
      return Buffer.concat([...parts, encoder.end()]);
    };
    for (const format of EXPORT_FORMATS) {
      for (const filters of [{}, { outcome: "approved", currency: "USD" }, { unresolved: true }] as const) {
        const file = await bytesOf(split, format, filters);
        assert.ok(file.length > 500);
        assert.ok(file.equals(await bytesOf(whole, format, filters)), `${format} ${JSON.stringify(filters)}`);
      }
    }
  });

  it("CH-15: figures over cut hours before the limit are the same, with filters, groups, costs and retries", async () => {
    const shorter = openTenants(databaseUrl, TIME_MS, { url: clickHouse.url, days: 7 });
    const summary = (tenants: TenantDb) => createAnalyticsSummary(tenants, () => TIME_MS);
    const assertSameFigures = async (tenants: TenantDb, changes: Partial<AnalyticsQuery>) => {
      const query = {
        range: "all",
        interval: null,
        filter: EVERY_DECISION,
        groupBy: [],
        hasGroupSeries: false,
        timeZone: null,
      } as const;
      const asked: AnalyticsQuery = { ...query, ...changes };
      const found = await summary(tenants)(workspaceId, "live", asked);
      assert.deepEqual(found, await summary(whole)(workspaceId, "live", asked), JSON.stringify(changes));
      return found;
    };
    for (const range of RANGES) await assertSameFigures(shorter, { range });
    // The range begins in the hour that has most of the decisions.
    const { total, cost, retries } = await assertSameFigures(shorter, { range: "30d" });
    assert.ok(total > 0 && cost !== null && retries !== null);
    for (const timeZone of ["America/New_York", "Asia/Kolkata"]) {
      await assertSameFigures(shorter, { range: "30d", timeZone });
      const filter = { ...EVERY_DECISION, currency: "NGN" };
      await assertSameFigures(split, { range: "90d", timeZone, filter });
    }
    for (const sinceMs of [LIMIT_MS - 41 * MINUTE_MS, LIMIT_MS - 20 * MINUTE_MS - 3 * DAY_MS]) {
      const interval = { sinceMs, untilMs: LIMIT_MS - 7 * MINUTE_MS };
      await assertSameFigures(split, { interval });
      await assertSameFigures(split, {
        interval,
        groupBy: ["provider", "card_network"],
        hasGroupSeries: true,
      });
      await assertSameFigures(split, {
        interval,
        groupBy: ["country"],
        filter: { ...EVERY_DECISION, currency: "NGN" },
      });
      await assertSameFigures(split, { interval, filter: { ...EVERY_DECISION, merchantId: "merchant_a" } });
      await assertSameFigures(split, { interval: { sinceMs, untilMs: null }, groupBy: ["merchant_id"] });
    }
  });

  it("CH-12: the overview's samples go beyond the limit where PostgreSQL has too few rows", async () => {
    const none = openTenants(databaseUrl, TIME_MS + 50 * DAY_MS, { url: clickHouse.url, days: DAYS });
    const aggregate = (tenants: TenantDb) => createDecisionAggregate(tenants, () => TIME_MS)(scope);
    assert.equal(await aggregate(none), await aggregate(whole));
  });

  it("CH-17: what is past a workspace's own limit is read by nobody, and leaves ClickHouse", async () => {
    const { pool } = database;
    const server = openClickHouse({ url: clickHouse.url, requestTimeoutMs: 60_000, applicationName: "test" });
    closeLater(() => server.close());
    const ownMs = TIME_MS - 45 * DAY_MS;
    const of = (id: string): string => `workspace_id = toUUID('${idToHex(id)}')`;
    const neighbour = newId("ws");
    const names = DECISION_COLUMNS.join(", ");
    await clickHouse.rows(
      `insert into decisions (${names}) select ${names.replace("workspace_id", `toUUID('${idToHex(neighbour)}')`)}
       from decisions where ${of(workspaceId)} limit 1 by decision_id`,
    );
    await pool.query("update workspaces set retention_days = 45 where workspace_id = $1", [
      idToHex(workspaceId),
    ]);
    const kept = log.decisions.filter(
      ({ decisionId, mode }) => mode === LIVE && idTimeMs(decisionId) >= ownMs,
    );
    assert.deepEqual(
      await walk(filtered({}), PAGE_ROWS),
      kept.map(({ decisionId }) => decisionId).toReversed(),
    );
    const counted = async (condition: string): Promise<number> => {
      const [row] = await clickHouse.rows<{ n: string }>(
        `select uniqExact(decision_id) as n from decisions where ${condition}`,
      );
      return Number(row?.n);
    };
    const past = `created_at < fromUnixTimestamp64Milli(${ownMs}, 'UTC')`;
    const before = [await counted(of(workspaceId)), await counted(`${of(workspaceId)} and ${past}`)];
    assert.ok((before[1] ?? 0) > 0);
    for (const table of ["decisions", "outcomes"]) await clickHouse.rows(`system start merges ${table}`);
    await removePastOwnLimits(pool, server, TIME_MS);
    await eventually(async () => assert.equal(await counted(`${of(workspaceId)} and ${past}`), 0));
    assert.equal(await counted(of(workspaceId)), (before[0] ?? 0) - (before[1] ?? 0));
    assert.equal(await counted(of(neighbour)), ROWS);
    // ClickHouse removes rows from one table after another, in the background.
    await eventually(async () => {
      const feedback = await clickHouse.rows(`select 1 from outcomes where ${of(workspaceId)} and ${past}`);
      assert.deepEqual(feedback, []);
    });
  });
});
