import type { AmountTracker } from "./amount-tracker.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { Journal } from "../journal/journal.js";
import type { DecisionWriter } from "./decision-writer.js";
import { depthAfter, drainAfter, partsAfter, type DrainedBatch } from "./drained-batch.js";
import { isDatabaseError, JournalReplacedError } from "./database-error.js";
import { createPersistWaiters } from "./persist-waiters.js";
import { createReplySweep } from "./reply-sweep.js";
import { createIsolation } from "./isolation.js";
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
 * Rests for each millisecond of work, within the limits. A writer that is busy for more than two fifths of the time is
 * one of a node at its limit, where the same rows cost less in fewer transactions (Postgres 11.0 µs a row after 50 ms,
 * 10.0 after 200); but what waits is also read and written in one go, beside decisions: at most 100 ms, (b) is 1.01 to
 * 1.03 times what it is with 200. With less to do, short transactions disturb decisions less (p99 at half rate 10.0
 * against 12.3 ms).
 */
const REST_PER_WORK = 1.5;
const STATUS_INTERVAL_MS = 250;
const STATUS_INTERVAL_MS_MIN = 20;
const RETRY_DELAY_MS_MIN = 100;
const RETRY_DELAY_MS_MAX = 2000;

/**
 * Drains the journal into PostgreSQL, oldest first. The position moves in the transaction that writes the rows, so
 * a batch lands once however often it is tried; entries leave the journal only after that commit.
 */
export function createWriterActor({ journal, writer, amounts, report, now }: WriterActorOptions) {
  /** -1 until PostgreSQL has said where this node's journal stands. */
  let position = -1;
  let removedThrough = 0;
  let reachable = false;
  let failures = 0;
  /** Removals, sweeps and syncs: PostgreSQL has nothing to do with them. */
  let journalFailures = 0;
  let batches: { rows: number; seconds: number }[] = [];
  let retried: RetriedOutcomes[] = [];
  const waiters = createPersistWaiters(report);
  let failure: WriteFailure | null = null;
  /** What is being stored, or was last tried. */
  let draining: DrainedRange | null = null;
  let kept: KeptOutcomes = { waiting: 0, oldestSeconds: 0, setAside: 0 };
  let keptAtMs = Number.NEGATIVE_INFINITY;
  let stopAtMs: number | null = null;
  let wake: (() => void) | null = null;

  /** Entries up to the position are in PostgreSQL already: what a kill between commit and removal leaves. */
  const startFromDatabase = async (): Promise<void> => {
    const stored = await writer.position();
    if (stored > journal.lastSequence()) throw new JournalReplacedError(stored, journal.lastSequence());
    position = stored;
  };

  /** A full disk may refuse even this; the entries are behind the position, and go with a later call. */
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

  const isolation = createIsolation({
    writer,
    partsAfter: (partsMax) => partsAfter(journal, position, partsMax),
  });

  const describe = (error: unknown): WriteFailure => describeFailure(error, writer.doing(), draining);

  /** Stores it, or a part of it, or that its one record is refused; rejects where that has to wait. */
  const store = async (next: DrainedBatch): Promise<void> => {
    const startedMs = performance.now();
    try {
      const result = await writer.write(next.batch, next.through);
      if (result === "position_moved") return await startFromDatabase();
      batches.push({ rows: next.rows, seconds: (performance.now() - startedMs) / 1000 });
      position = next.through;
      isolation.stored();
      for (const row of next.decisions) amounts.add(row);
    } catch (error) {
      if (!isDatabaseError(error)) throw error;
      const refusal = describe(error);
      const then = await isolation.refused(error, next);
      if (then === "wait") throw error;
      noteFailure(refusal);
      if (then === "go_on") return;
      if (then.setAside === "position_moved") return await startFromDatabase();
      position = next.through;
      report({ type: "set_aside", failure: refusal });
    }
  };

  /** One transaction; answers the number of rows that it was for. */
  const drainOnce = async (): Promise<number> => {
    if (position < 0) await startFromDatabase();
    const next = drainAfter(journal, position, isolation.partsMax());
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

  /** Tells it at once: what is stored next forgets it. */
  const noteFailure = (refusal: WriteFailure): void => {
    failure = refusal;
    failures++;
    sendStatus();
  };

  /** Until told to stop and nothing is left, or the deadline is over; answers whether nothing is left. */
  const drain = async (): Promise<boolean> => {
    let retryDelayMs = RETRY_DELAY_MS_MIN;
    while (stopAtMs === null || performance.now() < stopAtMs) {
      try {
        // What was committed before the order to stop is seen only by a look at the journal that follows it.
        const stopping = stopAtMs !== null;
        const startedMs = performance.now();
        const rows = await drainOnce();
        reachable = true;
        failure = null;
        retryDelayMs = RETRY_DELAY_MS_MIN;
        waiters.answer(position);
        // What a scrape shows is then at most one transaction old.
        if (rows > 0 && performance.now() - statusSentMs >= STATUS_INTERVAL_MS_MIN) sendStatus();
        if (stopping && rows === 0) return true;
        // A full transaction spreads its fixed cost over many rows: unless somebody waits, let one fill.
        const isWanted =
          stopAtMs !== null ||
          waiters.isAwaited() ||
          rows >= TUNING.journalDrainRowsMax / 2 ||
          isolation.partsMax() < Number.POSITIVE_INFINITY;
        if (!isWanted) await pause(restAfter(performance.now() - startedMs));
      } catch (error) {
        if (!isDatabaseError(error)) throw error;
        reachable = false;
        failure = describe(error);
        failures++;
        // Whether the commit happened is not known: ask again before the next write.
        position = -1;
        waiters.refuse();
        await pause(stopAtMs === null ? retryDelayMs : Math.min(retryDelayMs, stopAtMs - performance.now()));
        retryDelayMs = Math.min(RETRY_DELAY_MS_MAX, retryDelayMs * 2);
      }
    }
    return false;
  };

  return {
    /** Of what failed behind a batch that is stored. */
    noteFoldRefused: (error: unknown): void => noteFailure(describe(error)),

    /** Of a batch that is stored. */
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

    /** Runs until told to stop; then drains what is left within the deadline. Rejects only on a bug. */
    async run(): Promise<void> {
      const timers = [
        setInterval(sendStatus, STATUS_INTERVAL_MS),
        setInterval(() => void journal.sync().catch(() => journalFailures++), TUNING.journalSyncIntervalMs),
        setInterval(() => void refreshAmounts(), TUNING.amountRefreshIntervalMs),
      ];
      report({ type: "ready", lastSequence: journal.lastSequence() });
      sendStatus();
      sweep.begin();
      // Not awaited: PostgreSQL may be away, and the replica holds the amounts of the last run.
      void refreshAmounts();
      try {
        await drain();
      } finally {
        for (const timer of timers) clearInterval(timer);
        sweep.end();
      }
      await journal.sync();
      // The last one tells what is left.
      sendStatus();
    },
  };
}

function restAfter(workMs: number): number {
  const { journalFlushIntervalMs: least, journalFlushIntervalMsMax: most } = TUNING;
  return Math.min(most, Math.max(least, REST_PER_WORK * workMs));
}
