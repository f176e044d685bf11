import type { AmountTracker } from "./amount-tracker.js";
import { isDatabaseError } from "./database-error.js";
import type { DecisionWriter } from "./decision-writer.js";
import type { DrainedBatch } from "./drained-batch.js";
import { createIsolation, type IsolationOptions } from "./isolation.js";
import type { WriterReport } from "./messages.js";
import type { WriteFailure } from "./write-failure.js";

export interface BatchStoreOptions extends Pick<IsolationOptions, "partsAfter"> {
  writer: DecisionWriter;
  amounts: Pick<AmountTracker, "add">;
  describe(error: unknown): WriteFailure;
  /** Called if PostgreSQL refused the batch because of a record in it, but not if the batch must wait. */
  onRefused(failure: WriteFailure): void;
  report(report: WriterReport): void;
}

/**
 * - `stored`, `set_aside`: the position is now after the batch.
 * - `smaller`: nothing was stored. Try again with at most `partsMax()` parts.
 * - `position_moved`: nothing was stored, because another process or an earlier attempt has moved the position.
 */
export type Stored = "stored" | "set_aside" | "smaller" | "position_moved";

/** Stores batches. If PostgreSQL refuses a batch, it finds the record that is to blame (isolation.ts). */
export interface BatchStore {
  /** The number of parts that the next batch may have. */
  partsMax(): number;
  /** Stores a batch. Rejects if the batch must wait. */
  store(next: DrainedBatch): Promise<Stored>;
}

export function createBatchStore(options: BatchStoreOptions): BatchStore {
  const { writer, amounts, partsAfter, describe, onRefused, report } = options;
  const isolation = createIsolation({ writer, partsAfter });
  return {
    partsMax: isolation.partsMax,
    async store(next) {
      try {
        const result = await writer.write(next.batch, next.through);
        if (result === "position_moved") return result;
        isolation.stored();
        for (const row of next.decisions) amounts.add(row);
        return "stored";
      } catch (error) {
        if (!isDatabaseError(error)) throw error;
        const refusal = describe(error);
        const then = await isolation.refused(error, next);
        if (then === "wait") throw error;
        onRefused(refusal);
        if (then === "go_on") return "smaller";
        if (then.setAside === "position_moved") return "position_moved";
        report({ type: "set_aside", failure: refusal });
        return "set_aside";
      }
    },
  };
}
