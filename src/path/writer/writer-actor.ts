import type { AmountTracker } from "./amount-tracker.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { OutcomeRecord } from "../journal/outcome-record.js";
import {
  batchAgeMs,
  batchRecordCount,
  decodeBatch,
  JournalFormatError,
  noRecords,
} from "../journal/batch-codec.js";
import type { Journal } from "../journal/journal.js";
import type { RetryRecord } from "../journal/retry-record.js";
import type { OutcomeRow } from "./copy/outcome-row.js";
import type { DecisionWriter, KeptOutcomes } from "./decision-writer.js";
import type { RetriedOutcomes, RetryRow } from "./copy/retry-batch.js";
import { describeFailure, type DrainedRange, type WriteFailure } from "./write-failure.js";
import { MODES, OUTCOMES, TECHNICAL_FAILURE_TYPES } from "../../domain/vocabulary/vocabulary.js";
import type { WriterCommand, WriterReport } from "./messages.js";

export interface WriterActorOptions {
  journal: Journal;
  writer: DecisionWriter;
  amounts: AmountTracker;
  report(report: WriterReport): void;
  /** Unix milliseconds. */
  now(): number;
}

/** Rows of one transaction: enough to spread its fixed cost, few enough to keep the journal young. */
const DRAIN_BYTES_MAX = 16 * 1024 * 1024;
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
const SWEEP_INTERVAL_MS = 1000;
/** Few, since decisions wait for the write lock meanwhile; a sweep that finds as many goes on after a pause. */
const SWEEP_REPLIES_MAX = 1000;
const SWEEP_PAUSE_MS = 10;
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
  let waiters: { sequence: number; ticket: number }[] = [];
  let failure: WriteFailure | null = null;
  /** What is being stored, or was last tried. */
  let draining: DrainedRange | null = null;
  let kept: KeptOutcomes = { waiting: 0, oldestSeconds: 0 };
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

  const answerWaiters = (): void => {
    const due = waiters.filter(({ sequence }) => sequence <= position);
    if (due.length === 0) return;
    waiters = waiters.filter(({ sequence }) => sequence > position);
    for (const { ticket } of due) report({ type: "persisted", ticket, ok: true });
  };

  const refuseWaiters = (): void => {
    for (const { ticket } of waiters) report({ type: "persisted", ticket, ok: false });
    waiters = [];
  };

  const matchKept = async (): Promise<void> => {
    kept = await writer.matchKept();
    keptAtMs = performance.now();
  };

  /** One transaction; answers the number of rows written. */
  const drainOnce = async (): Promise<number> => {
    if (position < 0) await startFromDatabase();
    const entries = journal.readAfter(position, DRAIN_BYTES_MAX, LIMITS.journalDrainRowsMax);
    const last = entries.at(-1);
    if (!last) {
      removeDrained();
      if (performance.now() - keptAtMs >= LIMITS.keptOutcomesIntervalMs) await matchKept();
      return 0;
    }
    const records = noRecords();
    for (const entry of entries) decodeBatch(entry.batch, records);
    const { decisions } = records;
    const rows = decisions.length + records.outcomes.length;
    draining = { after: position, through: last.sequence, rows };
    const startedMs = performance.now();
    const { healthGroups, costs } = records;
    const outcomes = records.outcomes.map(toOutcomeRow);
    const batch = { decisions, outcomes, healthGroups, costs, retries: records.retries.map(toRetryRow) };
    if ((await writer.write(batch, last.sequence)) === "position_moved") {
      await startFromDatabase();
      return rows;
    }
    batches.push({ rows, seconds: (performance.now() - startedMs) / 1000 });
    position = last.sequence;
    for (const row of decisions) amounts.add(row);
    removeDrained();
    await matchKept();
    return rows;
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

  let sweeping: NodeJS.Timeout | null = null;
  const sweep = (): void => {
    sweeping = null;
    let looked = 0;
    try {
      looked = journal.transaction(() => journal.replies.sweep(now(), SWEEP_REPLIES_MAX));
    } catch {
      journalFailures++;
    }
    sweeping = setTimeout(sweep, looked < SWEEP_REPLIES_MAX ? SWEEP_INTERVAL_MS : SWEEP_PAUSE_MS);
  };

  let statusSentMs = 0;
  const sendStatus = (): void => {
    statusSentMs = performance.now();
    const { bytes } = journal.stats();
    // Where PostgreSQL has not said how far it is, all that the journal holds may still be missing there.
    const oldest = journal.oldestAfter(Math.max(0, position));
    const depthRecords =
      oldest === null
        ? 0
        : journal.lastSequence() - Math.max(position, oldest.sequence - batchRecordCount(oldest.batch));
    report({
      type: "status",
      databaseReachable: reachable,
      position,
      depthRecords,
      depthBytes: depthRecords === 0 ? 0 : bytes,
      ageMs: oldest === null ? 0 : batchAgeMs(oldest.batch, now()),
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
        answerWaiters();
        // What a scrape shows is then at most one transaction old.
        if (rows > 0 && performance.now() - statusSentMs >= STATUS_INTERVAL_MS_MIN) sendStatus();
        if (stopping && rows === 0) return true;
        // A full transaction spreads its fixed cost over many rows: unless somebody waits, let one fill.
        const isWanted = stopAtMs !== null || waiters.length > 0 || rows >= LIMITS.journalDrainRowsMax / 2;
        if (!isWanted) await pause(restAfter(performance.now() - startedMs));
      } catch (error) {
        if (!isDatabaseError(error)) throw error;
        reachable = false;
        failure = describeFailure(error, writer.doing(), draining);
        failures++;
        // Whether the commit happened is not known: ask again before the next write.
        position = -1;
        refuseWaiters();
        await pause(stopAtMs === null ? retryDelayMs : Math.min(retryDelayMs, stopAtMs - performance.now()));
        retryDelayMs = Math.min(RETRY_DELAY_MS_MAX, retryDelayMs * 2);
      }
    }
    return false;
  };

  return {
    /** Of a batch that is stored. */
    noteRetried(outcomes: readonly RetriedOutcomes[]): void {
      retried.push(...outcomes);
    },

    command(command: Exclude<WriterCommand, { type: "begin" }>): void {
      switch (command.type) {
        case "persist_through":
          waiters.push({ sequence: command.sequence, ticket: command.ticket });
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
        setInterval(() => void journal.sync().catch(() => journalFailures++), LIMITS.journalSyncIntervalMs),
        setInterval(() => void refreshAmounts(), LIMITS.amountRefreshIntervalMs),
      ];
      report({ type: "ready", lastSequence: journal.lastSequence() });
      sendStatus();
      sweep();
      // Not awaited: PostgreSQL may be away, and the replica holds the amounts of the last run.
      void refreshAmounts();
      try {
        await drain();
      } finally {
        for (const timer of timers) clearInterval(timer);
        if (sweeping !== null) clearTimeout(sweeping);
      }
      await journal.sync();
      // The last one tells what is left.
      sendStatus();
    },
  };
}

function restAfter(workMs: number): number {
  const { journalFlushIntervalMs: least, journalFlushIntervalMsMax: most } = LIMITS;
  return Math.min(most, Math.max(least, REST_PER_WORK * workMs));
}

function toOutcomeRow({ mode, outcome, technicalFailureType, ...record }: OutcomeRecord): OutcomeRow {
  return {
    ...record,
    mode: MODES.indexOf(mode),
    outcome: OUTCOMES.indexOf(outcome),
    technicalFailureType:
      technicalFailureType === null ? null : TECHNICAL_FAILURE_TYPES.indexOf(technicalFailureType),
  };
}

function toRetryRow({ mode, failedOutcome, ...record }: RetryRecord): RetryRow {
  return { ...record, mode: MODES.indexOf(mode), failedOutcome: OUTCOMES.indexOf(failedOutcome) };
}

/** PostgreSQL holds more of this node's journal than the journal does: DATA_DIR was rolled back. Draining would skip new entries. */
class JournalReplacedError extends Error {
  constructor(position: number, lastSequence: number) {
    super(
      `PostgreSQL holds this node's journal up to ${position}, the journal ends at ${lastSequence}: it is not the same one; ` +
        "remove DATA_DIR/journal/node-id to go on with it as a new one",
    );
  }
}

const BUGS = [TypeError, RangeError, ReferenceError, JournalFormatError, JournalReplacedError] as const;

/** A lost connection or an SQL error; anything else is a bug of ours and ends the thread, visibly. */
function isDatabaseError(error: unknown): boolean {
  return error instanceof Error && !BUGS.some((bug) => error instanceof bug);
}
