import type { Pool, PoolClient, QueryConfig, QueryResult } from "pg";
import { storeAlerts } from "../../../src/features/alerts/alert-writer.js";
import { storeNodeWord } from "../../../src/features/alerts/node-alert-writer.js";
import { findApiKeysOf, listPublicIds, recordKeyUses } from "../../../src/features/api-keys/queries.js";
import { countWaiting, dropOldDeliveries, isEventDue } from "../../../src/features/events/queries/due.js";
import { leaseEndpoints } from "../../../src/features/events/queries/lease.js";
import { tellNextPage } from "../../../src/features/events/queries/fan-out.js";
import { countUnfinishedErasures } from "../../../src/features/erasures/job/unfinished.js";
import { leaseExport } from "../../../src/features/exports/queries/lease.js";
import { countUnfinished, sweepExports } from "../../../src/features/exports/queries/unfinished.js";
import { listPinKeys, loadPins } from "../../../src/features/overrides/queries.js";
import {
  dropOldWebhooks,
  loadProviderReports,
} from "../../../src/features/webhooks/queries/provider-report.js";
import {
  listWebhookSecretKeys,
  loadWebhookSecrets,
} from "../../../src/features/webhooks/queries/webhook-secret.js";
import { loadMerchantHeads } from "../../../src/features/workspaces/queries/merchant-head.js";
import { listMerchantKeys } from "../../../src/features/workspaces/queries/merchant.js";
import { listWorkspaceKeys, loadWorkspaces } from "../../../src/features/workspaces/queries/workspace.js";
import { idFromHex } from "../../../src/domain/ids/ids.js";
import { LIMITS } from "../../../src/domain/vocabulary/limits.js";
import {
  dropOldChanges,
  isChangeCursorGood,
  readChangeCursor,
  readChanges,
} from "../../../src/path/changes/change-queries.js";
import { readDatabaseSource } from "../../../src/platform/postgres/database-source.js";
import { claimNodeNumber } from "../../../src/path/decide/identity/node-identity-queries.js";
import { dropOldEvidence, readEvidence } from "../../../src/path/prober/evidence-queries.js";
import { loadChangedAmounts, saveAmounts } from "../../../src/path/writer/amount-queries.js";
import { dropOldAttempts, readAttempts } from "../../../src/path/writer/attempt-queries.js";
import { matchKeptOutcomes } from "../../../src/path/writer/decision-writer.js";
import { GROWING_TABLES } from "./grown-database.js";

/** A database whose tables have `rows` rows each (see `growDatabase`). */
export interface Grown {
  rows: number;
  nowMs: number;
}

/** The number of due rows when a node drops old rows. It is small compared with the remaining rows. */
const DUE_ROWS = 20;

/** A metric counts at most this many rows of a table. */
const COUNTED_ROWS_MAX = 10_000;
const COUNTED: readonly string[] = ["unmatched_outcomes", "set_aside"];

const WORKSPACES = [7, 8, 9].map((n) =>
  idFromHex("ws", `00000000000040008000${n.toString(16).padStart(12, "0")}`),
);
const [WORKSPACE] = WORKSPACES as [string];
const records = (key: string) => WORKSPACES.map((workspaceId) => ({ workspaceId, key }));
const place = (key: string) => ({ workspaceId: WORKSPACE, key });

const ALERT = {
  kind: "workspace_health",
  owner: { workspaceId: WORKSPACE, mode: "test" },
  segmentKey: "provider_1:card:USD",
  provider: "provider_1",
  severity: "warning",
  evidence: null,
  reasonCode: "HEALTH_DEGRADED",
  openedAtMs: Date.now(),
} as const;
const SHARE = {
  workspaceId: WORKSPACE,
  mode: "test",
  merchantId: "acme",
  currency: "USD",
  nodeId: "node",
  decisionCount: 2,
  sketch: "[]",
} as const;

/** The queries that a node sends from time to time, even without any request. */
export const PERIODIC: Readonly<Record<string, (pool: Pool, grown: Grown) => Promise<unknown>>> = {
  "which database the changes are of": readDatabaseSource,
  "what has changed": async (pool) => readChanges(pool, await readChangeCursor(pool, "source")),
  "whether all changes can still be read": async (pool) =>
    isChangeCursorGood(pool, await readChangeCursor(pool, "source")),
  "dropping old changes": (pool, { rows }) => dropOldChanges(pool, (rows - DUE_ROWS) * 60),
  "comparing workspaces": async (pool) => [
    await listWorkspaceKeys(pool, place(""), 100),
    await loadWorkspaces(pool, WORKSPACES),
  ],
  "comparing merchants": async (pool) => [
    await listMerchantKeys(pool, place("acme"), 100),
    await loadMerchantHeads(pool, records("acme")),
  ],
  "comparing pins": async (pool) => [
    await listPinKeys(pool, place(""), 100),
    await loadPins(pool, WORKSPACES),
  ],
  "comparing webhook secrets": async (pool) => [
    await listWebhookSecretKeys(pool, place("provider_1/acme"), 100),
    await loadWebhookSecrets(pool, records("provider_1/acme")),
  ],
  "comparing API keys": async (pool) => [
    await listPublicIds(pool, WORKSPACES),
    await findApiKeysOf(pool, ["key7", "key8"]),
  ],
  "what outcomes say": async (pool) => readEvidence(pool, (await readEvidence(pool, null, 1)).next, 300),
  "what outcomes said before": (pool) => readEvidence(pool, null, 30),
  "dropping old evidence": (pool, { rows }) => dropOldEvidence(pool, rows - DUE_ROWS),
  "what other nodes tried": async (pool) => readAttempts(pool, (await readAttempts(pool, null, 1)).next, 300),
  "what they tried before": (pool) => readAttempts(pool, null, 30),
  "dropping old attempts": (pool, { rows }) => dropOldAttempts(pool, rows - DUE_ROWS),
  "saving amounts": (pool) => saveAmounts(pool, [SHARE]),
  "what amounts have changed": (pool) => loadChangedAmounts(pool, 180),
  "matching outcomes that were kept aside": matchKeptOutcomes,
  "folding rollups": (pool) => pool.query("select fold_rollups()"),
  "folding costs and retries": (pool) => pool.query("select fold_costs_and_retries()"),
  "noting that keys were used": (pool, { nowMs }) =>
    recordKeyUses(pool, [
      { workspaceId: WORKSPACE, keyId: WORKSPACE.replace("ws_", "key_"), usedAtMs: nowMs },
    ]),
  "opening, closing and confirming alerts": (pool) =>
    storeAlerts(
      pool,
      { closesUnlisted: true, confirm: true, open: [ALERT], closed: [{ ...ALERT, atMs: Date.now() }] },
      () => "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    ),
  "telling of a node's own causes of alerts": (pool, { nowMs }) =>
    storeNodeWord(
      pool,
      { nodeId: "node", kinds: ["clock"], heldSinceMs: new Map([["clock", nowMs]]), atMs: nowMs },
      () => "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    ),
  "whether an event is due": isEventDue,
  "how many deliveries wait": countWaiting,
  "telling every workspace": tellNextPage,
  "leasing endpoints with something due": async (pool) => [
    await leaseEndpoints(pool, { nodeId: "node", failing: false, endpointsMax: 10, after: null }),
    await leaseEndpoints(pool, { nodeId: "node", failing: true, endpointsMax: 10, after: null }),
  ],
  "dropping old deliveries": (pool, { nowMs, rows }) =>
    dropOldDeliveries(pool, nowMs - (rows - DUE_ROWS) * 60_000 + LIMITS.eventDeliveriesKeptMs),
  "exports that are not made": (pool) => countUnfinished(pool, "node"),
  "erasures that are not done": (pool) => countUnfinishedErasures(pool),
  "taking up an export": (pool) => leaseExport(pool, "node"),
  "expiring exports": (pool, { nowMs }) => sweepExports(pool, nowMs),
  "what providers report": (pool, { nowMs }) => loadProviderReports(pool, nowMs),
  "dropping old webhooks": (pool, { nowMs, rows }) =>
    dropOldWebhooks(pool, nowMs - (rows - DUE_ROWS) * 60_000 + LIMITS.incidentLifeMs),
  "confirming a node's number": (pool) => claimNodeNumber(pool, "node", 256, 0),
};

/** PostgreSQL scans a table, or joins all of its rows, only if the rows are few. These settings forbid both. */
const SEEK_INDEXES =
  "set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off";

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  Plans?: PlanNode[];
}

interface TableReads {
  table: string;
  sequential: number;
  indexed: number;
}

/** The reads that one periodic query made in a grown database. */
export interface Reads {
  /** Tables of which the query read more rows than a periodic query may. Reads inside SQL functions count as well. */
  tooMuch: TableReads[];
  /** Growing tables that one of the query's plans scans completely. */
  scanned: string[];
  /** Each statement with its plan. */
  plans: string[];
}

/**
 * Runs the query in a transaction that is rolled back. PostgreSQL scans a small table completely because that is cheap.
 * With `seeksIndexes` it scans a table only when no index serves, as it would for a large table.
 */
export async function readsOf(
  pool: Pool,
  ask: (pool: Pool, grown: Grown) => Promise<unknown>,
  { rows, seeksIndexes }: { rows: number; seeksIndexes: boolean },
): Promise<Reads> {
  const client = await pool.connect();
  const plans: string[] = [];
  const scanned = new Set<string>();
  const explain = async (text: string, values: unknown[]): Promise<void> => {
    const { rows: explained } = await client.query<{ "QUERY PLAN": { Plan: PlanNode }[] }>(
      `explain (format json) ${text}`,
      values,
    );
    const plan = (explained[0]?.["QUERY PLAN"] ?? []).map((one) => one.Plan);
    for (const table of plan.flatMap(scannedBy)) scanned.add(table);
    plans.push(`${text}\n${JSON.stringify(plan)}`);
  };
  const query = async (config: string | QueryConfig, given?: unknown[]): Promise<QueryResult> => {
    const { text, values = given ?? [] } = typeof config === "string" ? { text: config } : config;
    // The query runs inside the test's transaction, so `begin` and `commit` must not reach it.
    if (text === "begin" || text === "commit") return client.query("select 1");
    // A savepoint reads nothing and has no plan.
    if (!/^(?:savepoint|release|rollback to) /.test(text)) await explain(text, values);
    return client.query(text, values);
  };
  const recording = { query, connect: () => Promise.resolve({ query, release: () => undefined }) };
  try {
    await client.query("begin");
    if (seeksIndexes) await client.query(SEEK_INDEXES);
    const before = await countReads(client);
    await ask(recording as unknown as Pool, { rows, nowMs: Date.now() });
    const after = await countReads(client);
    const reads = Array.from(after.values(), ({ table, sequential, indexed }) => ({
      table,
      sequential: sequential - (before.get(table)?.sequential ?? 0),
      indexed: indexed - (before.get(table)?.indexed ?? 0),
    }));
    return { tooMuch: reads.filter((one) => isTooMuch(one, rows)), scanned: [...scanned], plans };
  } finally {
    await client.query("rollback");
    client.release();
  }
}

/**
 * No periodic query may read more than a twentieth of the rows by a scan of the table. A read of more than half of the
 * rows by an index counts as a complete scan of the index, which is no better.
 */
function isTooMuch({ table, sequential, indexed }: TableReads, rows: number): boolean {
  if (COUNTED.includes(table)) return sequential + indexed > COUNTED_ROWS_MAX + rows / 20;
  return sequential > rows / 20 || indexed > rows / 2;
}

function scannedBy(node: PlanNode): string[] {
  const table = node["Relation Name"]?.replace(/_(?:default|rows)$/, "");
  const isScan = node["Node Type"] === "Seq Scan" && table !== undefined;
  const own = isScan && GROWING_TABLES.includes(table) && !COUNTED.includes(table) ? [table] : [];
  return [...own, ...(node.Plans ?? []).flatMap(scannedBy)];
}

/**
 * The rows that the transaction has read so far, including those read by functions. The count may include reads that
 * the connection has not yet reported for earlier transactions.
 */
async function countReads(client: PoolClient): Promise<Map<string, TableReads>> {
  const { rows } = await client.query<TableReads>(
    `select relname as table, seq_tup_read::int as sequential, coalesce(idx_tup_fetch, 0)::int as indexed
     from pg_stat_xact_user_tables where schemaname not like 'pg_temp%'`,
  );
  return new Map(rows.map((row) => [row.table, row]));
}
