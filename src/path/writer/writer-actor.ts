import type { AmountTracker } from "./amount-tracker.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { Journal } from "../journal/journal.js";
import type { DecisionWriter } from "./decision-writer.js";
import { depthAfter, drainAfter, partsAfter, type DrainedBatch } from "./drained-batch.js";
import { isDatabaseError } from "./database-error.js";
import { createPersistWaiters } from "./persist-waiters.js";
import { positionToStartFrom } from "./start-position.js";
import { createReplySweep } from "./reply-sweep.js";
import { createBatchStore } from "./batch-store.js";
import type { KeptOutcomes } from "./set-aside-queries.js";
import type { RetriedOutcomes } from "./copy/retry-batch.js";
import { describeFailure, type DrainedRange, type WriteFailure } from "./write-failure.js";
import type { WriterCommand, WriterReport } from "./messages.js";

export interface WriterActorOptions {
  journal: Journal;
  writer: DecisionWriter;
  amounts: AmountTracker;
  report(report: WriterReport): void;
  /** Unix milliseconds. */
  now(): number;
}

/**
 * The milliseconds of rest for each millisecond of work, within the limits. With this ratio a writer works for at most
 * two fifths of the time, unless its rest is at the maximum. Then its node is at its limit, and fewer transactions
 * would make each row cheaper: PostgreSQL takes 11.0 µs a row after a rest of 50 ms, and 10.0 after 200. But after a
 * long rest, one long write slows the decisions. With a rest of at most 100 ms, the rate of bench (b) is 1.01 to 1.03
 * times the rate with 200 ms. On a quieter node, short transactions disturb decisions less (p99 at half rate is 10.0
 * ms, and 12.3 ms with long ones).
 */
const REST_PER_WORK = 1.5;
const STATUS_INTERVAL_MS = 250;
const STATUS_INTERVAL_MS_MIN = 20;
const RETRY_DELAY_MS_MIN = 100;
const RETRY_DELAY_MS_MAX = 2000;

/**
 * Drains the journal into PostgreSQL, the oldest records first. The transaction that writes the rows also moves the
 * position. So a batch is stored exactly once, however often it is tried. Entries leave the journal only after that
 * commit.
 *
 * The actor is `lost` while it does not know PostgreSQL's position, `isolating` while it looks for a refused record
 * (batch-store.ts), and `draining` otherwise:
 *
 * | Event | `lost` | `draining` | `isolating` |
 * |---|---|---|---|
 * | PostgreSQL answers the position | `draining`, or `isolating` as before | – | – |
 * | that position is before the journal's oldest record | `draining`, or `isolating` as before; moves PostgreSQL's position to that record first | the same | the same |
 * | a batch is stored | – | `draining` | twice the parts; `draining` above `journalDrainRowsMax` parts |
 * | the position has moved | – | `draining` at PostgreSQL's position | `isolating` at PostgreSQL's position |
 * | a batch is refused | – | `isolating` with half of the parts | half of the parts |
 * | a batch of one part is refused for its content | – | – | sets it aside, `isolating` |
 * | a batch of one part is refused for an unclear cause | – | – | tries the record again if PostgreSQL accepts another record, else `lost` |
 * | PostgreSQL is away, or refuses everything | `lost`, after a delay | `lost`, after a delay | `lost`, after a delay |
 * | `stop` arrives | `lost` | `draining` without rests | `isolating` |
 * | nothing waits | – | rests; ends after `stop` | rests; ends after `stop` |
 * | the deadline of `stop` passes | ends | ends | ends |
 * | PostgreSQL's position is after the journal's end | the thread ends | the thread ends | the thread ends |
 */
export function createWriterActor({ journal, writer, amounts, report, now }: WriterActorOptions) {
  /** The position up to which PostgreSQL has this node's journal. -1 if it is unknown. */
  let position = -1;
  let removedThrough = 0;
  let reachable = false;
  let failures = 0;
  /** Counts failed removals, sweeps and syncs. They concern the journal's disk, not PostgreSQL. */
  let journalFailures = 0;
  let batches: { rows: number; seconds: number }[] = [];
  let retried: RetriedOutcomes[] = [];
  const waiters = createPersistWaiters(report);
  let failure: WriteFailure | null = null;
  /** The range that is being stored now, or that was tried last. */
  let draining: DrainedRange | null = null;
  let kept: KeptOutcomes = { waiting: 0, oldestSeconds: 0, setAside: 0 };
  let keptAtMs = Number.NEGATIVE_INFINITY;
  let stopAtMs: number | null = null;
  let wake: (() => void) | null = null;

  const startFromDatabase = async (): Promise<void> => {
    position = await positionToStartFrom({ journal, writer, report });
  };

  /** Removes the stored entries from the journal. If a full disk refuses it, a later call removes them. */
  const removeDrained = (): void => {
    if (position === removedThrough) return;
    try {
      journal.removeThrough(position);
      removedThrough = position;
    } catch {
      journalFailures++;
    }
  };

  const matchKept = async (): Promise<void> => {
    kept = await writer.matchKept();
    keptAtMs = performance.now();
  };

  const describe = (error: unknown): WriteFailure => describeFailure(error, writer.doing(), draining);

  const batchStore = createBatchStore({
    writer,
    amounts,
    partsAfter: (partsMax) => partsAfter(journal, position, partsMax),
    describe,
    onRefused: (refusal) => noteFailure(refusal),
    report,
  });

  const store = async (next: DrainedBatch): Promise<void> => {
    const startedMs = performance.now();
    const stored = await batchStore.store(next);
    if (stored === "position_moved") return startFromDatabase();
    if (stored === "stored") {
      batches.push({ rows: next.rows, seconds: (performance.now() - startedMs) / 1000 });
    }
    if (stored !== "smaller") position = next.through;
  };

  /** Runs one transaction and returns its number of rows, at least 1. Returns 0 if nothing waits. */
  const drainOnce = async (): Promise<number> => {
    if (position < 0) await startFromDatabase();
    const next = drainAfter(journal, position, batchStore.partsMax());
    if (next === null) {
      removeDrained();
      if (performance.now() - keptAtMs >= TUNING.keptOutcomesIntervalMs) await matchKept();
      return 0;
    }
    draining = { after: position, through: next.through, rows: next.rows };
    await store(next);
    if (position >= next.through) {
      removeDrained();
      await matchKept();
    }
    return Math.max(1, next.rows);
  };

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const refreshAmounts = async (): Promise<void> => {
    try {
      await amounts.refresh();
    } catch (error) {
      if (!isDatabaseError(error)) throw error;
      failures++;
    }
  };

  const sweep = createReplySweep(journal, now, () => void journalFailures++);

  let statusSentMs = 0;
  const sendStatus = (): void => {
    statusSentMs = performance.now();
    report({
      type: "status",
      databaseReachable: reachable,
      position,
      ...depthAfter(journal, position, now()),
      batches,
      failures,
      journalFailures,
      doing: writer.doing(),
      failure,
      kept,
      retried,
    });
    batches = [];
    retried = [];
    failures = 0;
    journalFailures = 0;
  };

  /** Reports a failure at once, because the next stored batch would clear it. */
  const noteFailure = (refusal: WriteFailure): void => {
    failure = refusal;
    failures++;
    sendStatus();
  };

  /** Drains until nothing is left after a `stop`, or until its deadline. Resolves to whether nothing is left. */
  const drain = async (): Promise<boolean> => {
    let retryDelayMs = RETRY_DELAY_MS_MIN;
    while (stopAtMs === null || performance.now() < stopAtMs) {
      try {
        // Read this flag before the journal: only a read after `stop` sees everything that was committed before `stop`.
        const stopping = stopAtMs !== null;
        const startedMs = performance.now();
        const rows = await drainOnce();
        reachable = true;
        failure = null;
        retryDelayMs = RETRY_DELAY_MS_MIN;
        waiters.answer(position);
        // Sends the status now, so that the metrics are at most one transaction old.
        if (rows > 0 && performance.now() - statusSentMs >= STATUS_INTERVAL_MS_MIN) sendStatus();
        if (stopping && rows === 0) return true;
        // Rests unless somebody waits for the writer or much is waiting, because a larger transaction spreads its fixed
        // cost over more rows.
        const isWanted =
          stopAtMs !== null ||
          waiters.isAwaited() ||
          rows >= TUNING.journalDrainRowsMax / 2 ||
          (rows > 0 && batchStore.partsMax() < Number.POSITIVE_INFINITY);
        if (!isWanted) await pause(restAfter(performance.now() - startedMs));
      } catch (error) {
        if (!isDatabaseError(error)) throw error;
        reachable = false;
        failure = describe(error);
        failures++;
        // The commit may have happened, so the position is read again before the next write.
        position = -1;
        waiters.refuse();
        await pause(stopAtMs === null ? retryDelayMs : Math.min(retryDelayMs, stopAtMs - performance.now()));
        retryDelayMs = Math.min(RETRY_DELAY_MS_MAX, retryDelayMs * 2);
      }
    }
    return false;
  };

  return {
    /** Reports that a fold after a stored batch has failed. */
    noteFoldRefused: (error: unknown): void => noteFailure(describe(error)),

    /** Adds the outcomes of retries in a stored batch to the next status. */
    noteRetried(outcomes: readonly RetriedOutcomes[]): void {
      retried.push(...outcomes);
    },

    command(command: Exclude<WriterCommand, { type: "begin" }>): void {
      switch (command.type) {
        case "persist_through":
          waiters.add(command);
          break;
        case "stop":
          stopAtMs = performance.now() + command.deadlineMs;
          break;
      }
      wake?.();
    },

    /** Runs until `stop`, and then drains the rest within the deadline. Rejects if an error must end the thread. */
    async run(): Promise<void> {
      const timers = [
        setInterval(sendStatus, STATUS_INTERVAL_MS),
        setInterval(() => void journal.sync().catch(() => journalFailures++), TUNING.journalSyncIntervalMs),
        setInterval(() => void refreshAmounts(), TUNING.amountRefreshIntervalMs),
      ];
      report({ type: "ready", lastSequence: journal.lastSequence() });
      sendStatus();
      sweep.begin();
      // Not awaited, because PostgreSQL may be away, and the replica has the amounts of the last run.
      void refreshAmounts();
      try {
        await drain();
      } finally {
        for (const timer of timers) clearInterval(timer);
        sweep.end();
      }
      await journal.sync();
      // The last status tells how many entries are left.
      sendStatus();
    },
  };
}

function restAfter(workMs: number): number {
  const { journalFlushIntervalMs: least, journalFlushIntervalMsMax: most } = TUNING;
  return Math.min(most, Math.max(least, REST_PER_WORK * workMs));
}
