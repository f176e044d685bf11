import { MIRROR } from "../../domain/vocabulary/tuning/mirror.js";
import { batchRecordCount } from "../journal/batch-codec.js";
import type { JournalEntry } from "../journal/journal.js";
import type { DeadStreams } from "../mirror/dead-streams.js";
import type { AmountTracker } from "./amount-tracker.js";
import { createBatchStore, type BatchStore } from "./batch-store.js";
import type { DecisionWriter } from "./decision-writer.js";
import { drainAfter, emptyBatch, partsAfter, type DrainedJournal } from "./drained-batch.js";
import type { WriterReport } from "./messages.js";
import { describeFailure } from "./write-failure.js";

export interface TakeoverOptions {
  streams: Omit<DeadStreams, "close">;
  /** Makes a writer that moves the position of `nodeId`. */
  writerFor(nodeId: string): DecisionWriter;
  amounts: Pick<AmountTracker, "add">;
  report(report: WriterReport): void;
}

export interface Takeover {
  /** Looks for dead nodes until `end`. */
  begin(): void;
  /** Resolves when no takeover runs any more. */
  end(): Promise<void>;
}

/**
 * Stores the records in the streams of dead nodes, each record exactly once.
 *
 * | Event | next |
 * |---|---|
 * | a node has not renewed its lease | read PostgreSQL's position of its journal |
 * | the position is known | claim the stream, and read it from there on |
 * | another node has the claim | leave the stream; look again |
 * | batches | store them as the dead node's writer would, and move its position in the same transaction |
 * | the batches begin after the position | move the position to them: PostgreSQL was restored to an earlier state |
 * | the position has moved: the node lives, or another node was faster | read the position again |
 * | nothing is left | delete the stream, unless its node lives again |
 * | PostgreSQL or the cache is away, or a batch cannot be read | report it, release the claim; look again |
 *
 * The position is the fence: the transaction that stores moves it, and only from the value that this node has read.
 * Batches leave a stream after PostgreSQL has stored them. So a gap in the read batches means that the position has
 * moved.
 */
export function createTakeover(options: TakeoverOptions): Takeover {
  const { streams, report } = options;
  let isEnding = false;
  let looking: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const look = async (): Promise<void> => {
    let silent: string[];
    try {
      silent = await streams.list();
    } catch {
      // The mirror itself reports that the cache is away.
      return;
    }
    for (const nodeId of silent) {
      if (isEnding) return;
      const taken = createTaken(options, nodeId);
      try {
        await taken.run(() => isEnding);
        if (taken.records() > 0) report({ type: "taken_over", nodeId, records: taken.records() });
      } catch (error) {
        report({ type: "takeover_failed", nodeId, records: taken.records(), error: String(error) });
        await streams.release(nodeId).catch(() => undefined);
      }
    }
  };

  const next = (): void => {
    timer = setTimeout(() => {
      looking = look().finally(() => {
        if (!isEnding) next();
      });
    }, MIRROR.lookIntervalMs);
  };

  return {
    begin: next,
    async end() {
      isEnding = true;
      clearTimeout(timer);
      await looking;
    },
  };
}

/** The takeover of one node's stream. */
function createTaken({ streams, writerFor, amounts, report }: TakeoverOptions, nodeId: string) {
  const writer = writerFor(nodeId);
  let position = 0;
  let records = 0;
  let held: DrainedJournal = heldJournal([]);
  const batches: BatchStore = createBatchStore({
    writer,
    amounts,
    partsAfter: (partsMax) => partsAfter(held, position, partsMax),
    describe: (error) => describeFailure(error, writer.doing(), null),
    onRefused: () => undefined,
    report,
  });

  /** Stores the batches that were read. Returns false if another node moved the position. */
  const storeHeld = async (): Promise<boolean> => {
    for (;;) {
      const next = drainAfter(held, position, batches.partsMax());
      if (next === null) return true;
      const stored = await batches.store(next);
      if (stored === "position_moved") return false;
      if (stored === "smaller") continue;
      records += next.through - position;
      position = next.through;
    }
  };

  /** Moves the position to `start` without storing records, because the stream no longer has the earlier records. */
  const skipTo = async (start: number): Promise<boolean> => {
    if (start <= position) return true;
    if ((await writer.write(emptyBatch(), start)) === "position_moved") return false;
    report({ type: "restored", records: start - position });
    position = start;
    return true;
  };

  return {
    records: () => records,
    async run(isEnding: () => boolean): Promise<void> {
      position = await writer.position();
      while (!isEnding()) {
        const read = await streams.read(nodeId, position);
        if (read === null) return;
        const [first] = read.batches;
        const start = first === undefined ? read.end : first.sequence - batchRecordCount(first.batch);
        held = heldJournal(read.batches);
        if ((await skipTo(start)) && (await storeHeld())) {
          if (first === undefined) return streams.forget(nodeId, position);
        } else position = await writer.position();
      }
    },
  };
}

/** Makes batches in memory readable like a journal. */
function heldJournal(entries: readonly JournalEntry[]): DrainedJournal {
  return {
    readAfter(after, bytesMax, recordsMax = Number.POSITIVE_INFINITY) {
      const read: JournalEntry[] = [];
      let bytes = 0;
      for (const entry of entries) {
        if (entry.sequence <= after) continue;
        if (read.length > 0 && entry.sequence - after > recordsMax) break;
        bytes += entry.batch.length;
        if (read.length > 0 && bytes > bytesMax) break;
        read.push(entry);
      }
      return read;
    },
  };
}
