import { AFTER } from "./corpus-after.js";
import { AMOUNTS } from "./corpus-amounts.js";
import { BEFORE } from "./corpus-before.js";
import { COMPOUND } from "./corpus-compound.js";
import { EVERYDAY } from "./corpus-everyday.js";
import { HISTORY } from "./corpus-history.js";
import { LATER_COMPOUND } from "./corpus-later-compound.js";
import { LATER } from "./corpus-later.js";
import { LED } from "./corpus-led.js";
import type { Sentence } from "./corpus-sentence.js";

export type CorpusSentence = Sentence & { readonly phrased: "before" | "after" };

/** Every text, with a mark that tells whether it was written before or after the grammar was finished. */
export const CORPUS: readonly CorpusSentence[] = [
  ...[...BEFORE, ...AMOUNTS, ...HISTORY, ...COMPOUND, ...LED].map((sentence) => ({
    ...sentence,
    phrased: "before" as const,
  })),
  ...[...AFTER, ...EVERYDAY, ...LATER, ...LATER_COMPOUND].map((sentence) => ({
    ...sentence,
    phrased: "after" as const,
  })),
];
