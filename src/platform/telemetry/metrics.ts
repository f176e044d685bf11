import { collectDefaultMetrics, Gauge, Registry, type Metric } from "prom-client";
import { tableOf } from "../../domain/vocabulary/table-of.js";
import {
  ACTIONS,
  CHANGE_KINDS,
  DECISION_MODES,
  MODEL_VERSIONS,
  MODES,
  type Action,
  type ChangeKind,
  type DecisionMode,
  type Mode,
  type ModelVersion,
  type Outcome,
} from "../../domain/vocabulary/vocabulary.js";
import {
  CACHE_OPERATIONS,
  CACHE_RESULTS,
  type CacheOperation,
  type CacheResult,
  type CacheRoundTrip,
} from "../cache/round-trip.js";
import { BucketHistogram, childCache, LabelledCounter } from "./labelled-metrics.js";
import { clockOffsetMs, now } from "../timing/clock.js";
import { createCopyMetrics } from "./copy-metrics.js";
import { SKIPPED_RECORDS, type SkippedRecord } from "./skipped-records.js";
import { WORKER_THREADS, type WorkerThread } from "./worker-threads.js";

/** In seconds. The bounds are close together below the budget of 50 ms. */
const LATENCY_BOUNDS = [
  0.0005, 0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.1, 0.25, 1, 5,
];
const BATCH_BOUNDS = [1, 2, 4, 8, 16, 32, 64, 128];
const WRITE_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** Gauges of prom-client to remove, because `promtool check metrics` refuses names of gauges that end in `_total`. */
const MISNAMED = ["handles", "requests", "resources"].map((what) => `nodejs_active_${what}_total`);

const REJECTION_REASONS = ["pool_full", "journal_full", "journal_unavailable"] as const;
type RejectionReason = (typeof REJECTION_REASONS)[number];

export interface PoolStats {
  pending: number;
  tasksInFlight: number;
  workers: number;
  utilization: number;
}

export interface JournalGauges {
  depthRecords: number;
  depthBytes: number;
  ageMs: number;
}

export interface HealthGauge {
  provider: string;
  segmentKey: string;
  score: number;
  state: string;
}

/** TELE-1. Create one instance per process. Names follow the Prometheus conventions. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);

  const register = <T extends BucketHistogram | LabelledCounter>(metric: T): T => {
    registry.registerMetric(metric as unknown as Metric);
    return metric;
  };
  const counter = (name: string, help: string) => register(new LabelledCounter(name, help));
  const histogram = (name: string, help: string, bounds: readonly number[]) =>
    register(new BucketHistogram(name, help, bounds));
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge<Label>({ name, help, labelNames, registers: [registry] });

  const httpRequests = counter("payinference_http_requests_total", "HTTP requests, by route and status.");
  const httpSeconds = histogram(
    "payinference_http_request_duration_seconds",
    "From the request's headers to its answer, by route and status.",
    LATENCY_BOUNDS,
  );
  const decisions = counter("payinference_decisions_total", "Decisions made, by action, modes and model.");
  // Creates all children with the count 0, because building and hashing a text key at each decision took 0.3 µs.
  const decisionChildren = tableOf(ACTIONS, (action) =>
    tableOf(MODES, (mode) =>
      tableOf(DECISION_MODES, (decision_mode) =>
        tableOf(MODEL_VERSIONS, (model) => decisions.child({ action, mode, decision_mode, model })),
      ),
    ),
  );
  const outcomes = counter("payinference_outcomes_total", "Outcomes taken in, re-reports included.");
  const outcomeChild = childCache((key: string) => {
    const [outcome = "", mode = ""] = key.split(" ");
    return outcomes.child({ outcome, mode });
  });
  const outcomesUnmatched = gauge(
    "payinference_outcomes_unmatched",
    "Acknowledged outcomes of all nodes whose decision is not in PostgreSQL, up to 10,000.",
  );
  const outcomesUnmatchedAge = gauge(
    "payinference_outcomes_unmatched_age_seconds",
    "How long the oldest acknowledged outcome has waited for its decision.",
  );
  const recordsSetAside = gauge("payinference_set_aside", "Records of all nodes that PostgreSQL refused.");
  const exportJobs = gauge("payinference_exports", "Exports of all nodes that are not made yet.", ["state"]);
  const clockOffset = gauge("payinference_clock_offset_seconds", "By how much the host's clock jumped.");
  const recordsSkipped = counter("payinference_records_skipped_total", "Records passed over, by their kind.");
  const recordsSkippedChild = tableOf(SKIPPED_RECORDS, (record) => recordsSkipped.child({ record }));
  const changesCopied = counter(
    "payinference_changes_copied_total",
    "Changes of records that this node copied from PostgreSQL, by kind.",
  );
  const changesCopiedChild = tableOf(CHANGE_KINDS, (kind) => changesCopied.child({ kind }));
  const changesCaughtUp = gauge(
    "payinference_changes_caught_up_timestamp_seconds",
    "When this node last went by every change of PostgreSQL, in Unix seconds.",
  );
  const copiesComplete = gauge(
    "payinference_copies_complete",
    "1 where this node has a copy of every record; 0 while it copies, and looks up what it lacks.",
  );
  copiesComplete.set(1);
  const changesMissed = counter(
    "payinference_changes_missed_total",
    "Copies that differed from PostgreSQL when they were compared; a change under way may be one.",
  ).child({});
  const retries = counter(
    "payinference_retry_outcomes_total",
    "Outcomes of decisions after a failed attempt, by that failure, where they were executed and whether approved.",
  );
  const retryChild = childCache((key: string) => {
    const [failed_provider = "", failure_class = "", executed_on = "", recovered = ""] = key.split(" ");
    return retries.child({ failed_provider, failure_class, executed_on, recovered });
  });
  const decisionSeconds = histogram(
    "payinference_decision_duration_seconds",
    "From the last body byte received to the decision made.",
    LATENCY_BOUNDS,
  ).child({});
  const batchRequests = histogram(
    "payinference_decision_batch_requests",
    "Requests dispatched to a decide worker as one task.",
    BATCH_BOUNDS,
  ).child({});

  const poolPending = gauge(
    "payinference_worker_pool_pending_requests",
    "Requests waiting for or in a decide worker.",
  );
  const poolTasks = gauge("payinference_worker_pool_tasks_in_flight", "Batches in the decide workers.");
  const poolThreads = gauge("payinference_worker_pool_threads", "Decide workers alive.");
  const poolUtilization = gauge(
    "payinference_worker_pool_utilization_ratio",
    "Share of the pool's task slots in use.",
  );
  const workerCrashes = counter(
    "payinference_worker_crashes_total",
    "Threads that died and were replaced, by thread.",
  );
  const workerCrashChild = childCache((thread: WorkerThread) => workerCrashes.child({ thread }));
  for (const thread of WORKER_THREADS) workerCrashChild(thread);

  const journalDepth = gauge(
    "payinference_journal_depth_records",
    "Records journalled and not yet in PostgreSQL.",
  );
  const journalBytes = gauge("payinference_journal_size_bytes", "Bytes of the journal's undrained entries.");
  const journalAge = gauge(
    "payinference_journal_age_seconds",
    "Age of the oldest record not yet in PostgreSQL.",
  );
  const journalWritable = gauge(
    "payinference_journal_writable",
    "1 while the journal takes decisions; 0: the disk is full or read-only, or JOURNAL_MAX_BYTES is reached.",
  );

  const writeBatches = counter(
    "payinference_postgres_write_batches_total",
    "Transactions that drained the journal.",
  ).child();
  const writeRows = counter(
    "payinference_postgres_write_rows_total",
    "Decisions and outcomes written to PostgreSQL.",
  ).child();
  const writeSeconds = histogram(
    "payinference_postgres_write_duration_seconds",
    "Duration of a draining transaction.",
    WRITE_BOUNDS,
  ).child({});
  const writeFailures = counter(
    "payinference_postgres_write_failures_total",
    "Draining transactions, and other writes of the writer thread into PostgreSQL, that failed.",
  ).child();
  const journalFailures = counter(
    "payinference_journal_failures_total",
    "Removals, sweeps and syncs of the journal that its disk refused; each is tried again.",
  ).child();
  const databaseUp = gauge("payinference_postgres_up", "1 while PostgreSQL answers.");
  const writesStalled = gauge(
    "payinference_postgres_writes_stalled",
    "1 while PostgreSQL answers and has not stored any of what waits for 30 s.",
  );

  const replays = counter(
    "payinference_idempotency_replays_total",
    "Decisions answered from a stored reply.",
  ).child();
  const rateLimited = counter("payinference_rate_limited_requests_total", "Requests answered 429.").child();
  const overloaded = counter("payinference_overload_rejections_total", "Decisions answered 503, by reason.");
  const overloadedChild = childCache((reason: RejectionReason) => overloaded.child({ reason }));
  for (const reason of REJECTION_REASONS) overloadedChild(reason);
  const keyCache = counter("payinference_key_cache_requests_total", "API key look-ups, by cache result.");
  const keyCacheHit = keyCache.child({ result: "hit" });
  const keyCacheMiss = keyCache.child({ result: "miss" });

  const cacheUp = gauge(
    "payinference_cache_up",
    "1 while the cache store answers: Valkey or Redis with CACHE_URL, else LMDB.",
  );
  const cacheTrips = counter(
    "payinference_cache_operations_total",
    "Round trips to the shared cache, by operation and result; skipped: it was known to be away.",
  );
  const cacheTripChild = childCache((key: `${CacheOperation} ${CacheResult}`) => {
    const [operation = "", result = ""] = key.split(" ");
    return cacheTrips.child({ operation, result });
  });
  const cacheSeconds = histogram(
    "payinference_cache_operation_duration_seconds",
    "Round trips to the shared cache, time-outs included.",
    LATENCY_BOUNDS,
  );
  const cacheSecondsChild = childCache((operation: CacheOperation) => cacheSeconds.child({ operation }));
  for (const operation of CACHE_OPERATIONS) {
    cacheSecondsChild(operation);
    for (const result of CACHE_RESULTS) cacheTripChild(`${operation} ${result}`);
  }

  const healthScore = gauge(
    "payinference_provider_health_score",
    "Provider health score, 0 to 100, by segment.",
    ["provider", "segment"],
  );
  const healthState = gauge("payinference_provider_health_state", "1 for the state a segment is in.", [
    "provider",
    "segment",
    "state",
  ]);

  return {
    /** Returns a function that records each answer of one route. */
    httpObserver(route: string): (status: number, seconds: number) => void {
      const byStatus = childCache((status: number) => {
        const labels = { route, status: String(status) };
        return { requests: httpRequests.child(labels), seconds: httpSeconds.child(labels) };
      });
      return (status, seconds) => {
        const child = byStatus(status);
        child.requests.add(1);
        child.seconds.observe(seconds);
      };
    },
    decided(
      action: Action,
      mode: Mode,
      decisionMode: DecisionMode,
      model: ModelVersion,
      latencyMs: number,
    ): void {
      decisionChildren[action][mode][decisionMode][model].add(1);
      decisionSeconds.observe(latencyMs / 1000);
    },
    outcomeStored: (outcome: Outcome, mode: Mode) => outcomeChild(`${outcome} ${mode}`).add(1),
    /** Counts retries as they are stored. A report that replaces another one counts again. */
    retriesStored(
      failedProvider: string,
      failureClass: string,
      isSameProvider: boolean,
      approved: boolean,
      outcomes: number,
    ): void {
      const executedOn = isSameProvider ? "same_provider" : "other_provider";
      retryChild(`${failedProvider} ${failureClass} ${executedOn} ${approved ? "yes" : "no"}`).add(outcomes);
    },
    keptOutcomes(kept: Readonly<Record<"waiting" | "oldestSeconds" | "setAside", number>>): void {
      outcomesUnmatched.set(kept.waiting);
      outcomesUnmatchedAge.set(kept.oldestSeconds);
      recordsSetAside.set(kept.setAside);
    },
    exports: (state: "waiting" | "running", count: number) => exportJobs.set({ state }, count),
    batchDispatched: (requests: number) => batchRequests.observe(requests),
    workerCrashed: (thread: WorkerThread) => workerCrashChild(thread).add(1),
    replayed: () => replays.add(1),
    rateLimited: () => rateLimited.add(1),
    rejected: (reason: RejectionReason) => overloadedChild(reason).add(1),
    keyLookup: (result: "hit" | "miss") => (result === "hit" ? keyCacheHit : keyCacheMiss).add(1),
    batchWritten(rows: number, seconds: number): void {
      writeBatches.add(1);
      writeRows.add(rows);
      writeSeconds.observe(seconds);
    },
    writeFailed: (times: number) => writeFailures.add(times),
    journalFailed: (times: number) => journalFailures.add(times),
    writerStalled: (stalled: boolean) => writesStalled.set(stalled ? 1 : 0),
    database: (up: boolean) => databaseUp.set(up ? 1 : 0),
    cache: (up: boolean) => cacheUp.set(up ? 1 : 0),
    cacheRoundTrip({ operation, result, seconds }: CacheRoundTrip): void {
      cacheTripChild(`${operation} ${result}`).add(1);
      if (result !== "skipped") cacheSecondsChild(operation).observe(seconds);
    },
    journal({ depthRecords, depthBytes, ageMs }: JournalGauges): void {
      journalDepth.set(depthRecords);
      journalBytes.set(depthBytes);
      journalAge.set(ageMs / 1000);
    },
    changesCopied(changes: readonly { kind: ChangeKind }[]): void {
      for (const { kind } of changes) changesCopiedChild[kind].add(1);
    },
    changesCaughtUp: () => changesCaughtUp.set(now() / 1000),
    copyingAll: (isCopying: boolean) => copiesComplete.set(isCopying ? 0 : 1),
    recordSkipped: (record: SkippedRecord, count = 1) => recordsSkippedChild[record].add(count),
    changesMissed: (count: number) => changesMissed.add(count),
    providerHealth(segments: readonly HealthGauge[]): void {
      healthState.reset();
      for (const { provider, segmentKey, score, state } of segments) {
        healthScore.set({ provider, segment: segmentKey }, score);
        healthState.set({ provider, segment: segmentKey, state }, 1);
      }
    },
    /** Returns the metrics in the Prometheus text format. */
    async text(pool: PoolStats, journalIsWritable: boolean): Promise<string> {
      journalWritable.set(journalIsWritable ? 1 : 0);
      clockOffset.set(clockOffsetMs() / 1000);
      poolPending.set(pool.pending);
      poolTasks.set(pool.tasksInFlight);
      poolThreads.set(pool.workers);
      poolUtilization.set(pool.utilization);
      return registry.metrics();
    },
    counter,
    ...createCopyMetrics({ counter, gauge }),
    gauge,
    contentType: registry.contentType,
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
