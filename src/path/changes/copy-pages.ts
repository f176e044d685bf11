import type { RecordKey } from "./copied-records.js";
import type { RecordCopy } from "./record-copy.js";

/** Behind a record of what this node holds, or of what there is; null: before all. */
export type CopyPlace = { list: "held" | "stored"; after: RecordKey } | null;

export interface CopyPage {
  records: RecordKey[];
  /** Where the next page begins. */
  place: CopyPlace;
}

/**
 * All records of a kind, a page at a time: those that this node holds, of which some may be gone, then those that there
 * are, of which it may lack some.
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
