import type { RecordKey } from "./copied-records.js";
import type { RecordCopy } from "./record-copy.js";

/**
 * A position between records: after a record in the list of this node's copies (`held`) or of PostgreSQL's records
 * (`stored`). Null is the position before all records.
 */
export type CopyPlace = { list: "held" | "stored"; after: RecordKey } | null;

export interface CopyPage {
  records: RecordKey[];
  /** The position where the next page begins. */
  place: CopyPlace;
}

/**
 * Yields all records of a kind, a page at a time. It first lists this node's copies, because PostgreSQL may no longer
 * have all their records. Then it lists PostgreSQL's records, because this node may lack some.
 */
export async function* pagesOf(
  kind: RecordCopy,
  pageRows: number,
  from: CopyPlace = null,
): AsyncGenerator<CopyPage> {
  for (const list of ["held", "stored"] as const) {
    if (list === "held" && from?.list === "stored") continue;
    let after = from?.list === list ? from.after : null;
    for (;;) {
      const records: RecordKey[] = await kind[list](after, pageRows);
      const last = records.at(-1);
      if (last === undefined) break;
      after = last;
      yield { records, place: { list, after } };
      if (records.length < pageRows) break;
    }
  }
}
