const FIRST_STRONG_ISOLATE = "\u2068";
const POP_DIRECTIONAL_ISOLATE = "\u2069";
const PARAGRAPH_SEPARATOR = "\u2029";
const ISOLATES: ReadonlySet<string> = new Set(["\u2066", "\u2067", FIRST_STRONG_ISOLATE]);

/** DASH-9: marks another person's text inside plain text, so that it cannot reorder the words around it. */
export function isolated(text: string): string {
  return FIRST_STRONG_ISOLATE + balanced(text) + POP_DIRECTIONAL_ISOLATE;
}

/** A part of a sentence: the sentence's own words, or another person's text. */
export interface Part {
  /** Counts from 0. */
  place: number;
  text: string;
  isForeign: boolean;
}

/** Splits a sentence into its `isolated` parts and the text between them. */
export function isolatedParts(sentence: string): Part[] {
  const parts: Part[] = [];
  let text = "";
  let open = 0;
  const end = (isForeign: boolean): void => {
    if (text !== "") parts.push({ place: parts.length, text, isForeign });
    text = "";
  };
  for (const char of sentence) {
    if (char === POP_DIRECTIONAL_ISOLATE && open > 0) {
      open -= 1;
      if (open === 0) end(true);
      else text += char;
    } else if (ISOLATES.has(char)) {
      if (open === 0) end(false);
      else text += char;
      open += 1;
    } else text += char;
  }
  end(false);
  return parts;
}

/**
 * Closes the isolations that the text opens. It drops paragraph separators and those control characters that would end
 * the isolation around the text.
 */
export function balanced(text: string): string {
  let open = 0;
  let kept = "";
  for (const char of text) {
    if (char === PARAGRAPH_SEPARATOR || (char === POP_DIRECTIONAL_ISOLATE && open === 0)) continue;
    if (ISOLATES.has(char)) open += 1;
    if (char === POP_DIRECTIONAL_ISOLATE) open -= 1;
    kept += char;
  }
  return kept + POP_DIRECTIONAL_ISOLATE.repeat(open);
}
