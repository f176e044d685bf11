import { AFTER } from "./corpus-after.js";
import { AMOUNTS } from "./corpus-amounts.js";
import { BEFORE } from "./corpus-before.js";
import { COMPOUND } from "./corpus-compound.js";
import { EVERYDAY } from "./corpus-everyday.js";
import { HISTORY } from "./corpus-history.js";
import { LATER } from "./corpus-later.js";
import type { Sentence } from "./corpus-sentence.js";

export type CorpusSentence = Sentence & { readonly phrased: "before" | "after" };

/** Every text, marked with whether it was phrased before the grammar was finished or after. */
export const CORPUS: readonly CorpusSentence[] = [
  ...[...BEFORE, ...AMOUNTS, ...HISTORY, ...COMPOUND].map((sentence) => ({
    ...sentence,
    phrased: "before" as const,
  })),
  ...[...AFTER, ...EVERYDAY, ...LATER].map((sentence) => ({ ...sentence, phrased: "after" as const })),
];
