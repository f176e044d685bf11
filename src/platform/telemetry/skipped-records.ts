import { tableOf } from "../../domain/vocabulary/table-of.js";
import type { LabelledCounter } from "./labelled-counter.js";

/** DUR-14: what is passed over since it cannot be stored, copied or read. */
const SKIPPED_RECORDS = ["copy", "evidence", "alert", "webhook_event"] as const;
type SkippedRecord = (typeof SKIPPED_RECORDS)[number];

/** Each is counted from 0 on. */
export function countSkippedRecords(counter: (name: string, help: string) => LabelledCounter) {
  const skipped = counter(
    "payinference_records_skipped_total",
    "Records that were passed over since they cannot be stored, copied or read, by what they are.",
  );
  const children = tableOf(SKIPPED_RECORDS, (record) => skipped.child({ record }));
  return (record: SkippedRecord, count = 1): void => children[record].add(count);
}
