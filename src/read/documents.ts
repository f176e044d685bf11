import type { PageRow } from "../persistence/decision-page.js";
import { LIMITS } from "../shared/limits.js";
import type { ReadDocuments } from "./segments.js";

/** The documents of the given decisions of a workspace, in their order. */
export type ReadRowDocuments = (workspaceId: string, rows: readonly PageRow[]) => Promise<string[]>;

/**
 * Documents never change, and pages are asked for again and again: backends poll their review queue, dashboards the newest
 * rows. What was read lately is kept, so that such a page takes no segment apart. Two generations, the older one dropped
 * whole: bounded without bookkeeping per read.
 */
export function createDocumentReader(
  readDocuments: ReadDocuments,
  charsMax: number = LIMITS.documentCacheChars,
): ReadRowDocuments {
  let young = new Map<string, string>();
  let old = new Map<string, string>();
  let youngChars = 0;

  const keep = (key: string, doc: string): void => {
    if (youngChars + doc.length > charsMax / 2) {
      old = young;
      young = new Map();
      youngChars = 0;
    }
    young.set(key, doc);
    youngChars += doc.length;
  };

  return async (workspaceId, rows) => {
    const keyOf = ({ decisionId }: PageRow): string => workspaceId + decisionId;
    const found = new Map<string, string>();
    const missing = rows.filter((row) => {
      const key = keyOf(row);
      const doc = young.get(key) ?? old.get(key);
      if (doc === undefined) return true;
      found.set(key, doc);
      if (!young.has(key)) keep(key, doc);
      return false;
    });
    const docs = await readDocuments(workspaceId, missing);
    for (const [at, row] of missing.entries()) {
      const doc = docs[at] as string;
      found.set(keyOf(row), doc);
      keep(keyOf(row), doc);
    }
    return rows.map((row) => found.get(keyOf(row)) as string);
  };
}
