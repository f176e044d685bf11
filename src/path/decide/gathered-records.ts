import { idToHex } from "../../domain/ids/ids.js";
import type { AttemptRecord } from "../journal/attempt-record.js";
import type { BatchEncoder } from "../journal/batch-codec.js";
import type { CostRecord } from "../journal/cost-record.js";
import type { DecisionRecord } from "../journal/decision-record.js";
import type { Journal } from "../journal/journal.js";
import type { RetryRecord } from "../journal/retry-record.js";
import type { Candidate } from "./batch-commit.js";
import type { RecordedHealth } from "./health-recorder.js";

/** Collects the records of a batch, inside the transaction that appends them. */
export class GatheredRecords {
  readonly healthGroups: RecordedHealth[] = [];
  readonly #decisions: DecisionRecord[] = [];
  readonly #costs: CostRecord[] = [];
  readonly #retries: RetryRecord[] = [];
  readonly #attempts: AttemptRecord[] = [];

  add(
    { attempts }: Journal,
    {
      record,
      cost,
      retry,
      health,
      counting,
    }: Pick<Candidate, "record" | "cost" | "retry" | "health" | "counting">,
  ): void {
    const decisionAt = this.#decisions.length;
    this.#decisions.push(record);
    if (cost !== null) this.#costs.push({ ...cost, decisionAt });
    if (retry !== null) this.#retries.push(retry);
    if (!health.journalled && !this.healthGroups.includes(health)) this.healthGroups.push(health);
    if (counting?.isAttempt === true) {
      const { key } = counting.counted;
      attempts.add(key, Buffer.from(idToHex(record.decisionId), "hex"));
      this.#attempts.push({ decisionAt, key });
    }
  }

  /** Appends the records. Returns the journal's sequence after them, or 0 if there are none. */
  appendTo(journal: Journal, encoder: BatchEncoder): number {
    const decisions = this.#decisions;
    const { healthGroups } = this;
    const [costs, retries, attempts] = [this.#costs, this.#retries, this.#attempts];
    if (decisions.length === 0) return 0;
    return journal.append(
      encoder.encode(decisions, { healthGroups, costs, retries, attempts }),
      decisions.length + healthGroups.length + costs.length + retries.length + attempts.length,
    );
  }
}
