import type { PageRow } from "./queries/decision-page.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { ReadDocuments } from "./segments.js";

/** Returns the texts made from the given decisions' documents, in the rows' order. */
export type ReadRowTexts = (workspaceId: string, rows: readonly PageRow[]) => Promise<string[]>;

interface Kept {
  /** The workspace whose document the text was made from. Never return the text to another workspace. */
  workspaceId: string;
  text: string;
}

/**
 * Documents never change, and the same pages are read repeatedly: backends poll their review queue, and dashboards poll
 * the newest rows. Recent texts are kept, so that such a page reads no document. The texts are in two generations. When
 * the newer one is full, the older one is dropped as a whole. This bounds the memory without bookkeeping per read.
 */
export function createRowTextReader(
  readDocuments: ReadDocuments,
  textOf: (document: string) => string,
  charsMax: number = TUNING.rowTextCacheChars,
): ReadRowTexts {
  let young = new Map<string, Kept>();
  let old = new Map<string, Kept>();
  let youngChars = 0;

  const keep = (uuid: string, kept: Kept): void => {
    if (youngChars + kept.text.length > charsMax / 2) {
      old = young;
      young = new Map();
      youngChars = 0;
    }
    young.set(uuid, kept);
    youngChars += kept.text.length;
  };

  const find = (workspaceId: string, uuid: string): string | undefined => {
    let kept = young.get(uuid);
    if (kept === undefined) {
      kept = old.get(uuid);
      if (kept !== undefined) keep(uuid, kept);
    }
    return kept?.workspaceId === workspaceId ? kept.text : undefined;
  };

  return async (workspaceId, rows) => {
    const texts = rows.map(({ uuid }) => find(workspaceId, uuid));
    const missing = rows.filter((_, at) => texts[at] === undefined);
    const docs = await readDocuments(workspaceId, missing);
    let next = 0;
    return texts.map((known, at) => {
      if (known !== undefined) return known;
      const text = textOf(docs[next++] as string);
      keep((rows[at] as PageRow).uuid, { workspaceId, text });
      return text;
    });
  };
}
