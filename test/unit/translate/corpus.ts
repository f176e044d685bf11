import { AFTER } from "./corpus-after.js";
import { BEFORE } from "./corpus-before.js";
import type { Sentence } from "./corpus-sentence.js";

export type CorpusSentence = Sentence & { readonly phrased: "before" | "after" };

/** Every sentence, marked with whether it was phrased before the grammar was finished or after. */
export const CORPUS: readonly CorpusSentence[] = [
  ...BEFORE.map((sentence) => ({ ...sentence, phrased: "before" as const })),
  ...AFTER.map((sentence) => ({ ...sentence, phrased: "after" as const })),
];
