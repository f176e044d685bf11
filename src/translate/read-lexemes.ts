/**
 * Cuts a sentence into words, numbers, quoted codes and signs, in one pass. Nothing is dropped but spaces: a
 * character that belongs to nothing becomes a lexeme of its own, which no lexicon knows.
 */
const LEXEME = new RegExp(
  [
    String.raw`"[^"\s][^"]*"`,
    // Clock times: 22:00, 9am, 9:30 pm.
    String.raw`\d{1,2}:\d{2}(?: ?[ap]m(?![\p{L}\d_]))?`,
    String.raw`\d{1,2} ?[ap]m(?![\p{L}\d_])`,
    // A number, unless letters make it a word (3ds, 10m, R0).
    String.raw`\d+(?:,\d+)*(?:\.\d+)?(?=k?(?![\p{L}\d_])|[A-Z]{3}(?![\p{L}\d_])|bps?(?![\p{L}\d_]))`,
    String.raw`[\p{L}\p{M}\d_]+(?:['’][\p{L}]+)*`,
    String.raw`[<>]=`,
    String.raw`\S`,
  ].join("|"),
  "giu",
);

const CONTRACTIONS: Readonly<Record<string, readonly string[]>> = {
  dont: ["do", "not"],
  doesnt: ["does", "not"],
  isnt: ["is", "not"],
  "it's": ["it", "is"],
  "that's": ["that", "is"],
  cannot: ["can", "not"],
};

export function readLexemes(sentence: string): string[] {
  const lexemes: string[] = [];
  const plain = sentence
    .replaceAll("’", "'")
    .replace(/[“”]/g, '"')
    // A hyphen inside a compound joins words ("high-risk").
    .replace(/(?<=[\p{L}\d])-(?=\p{L})/gu, " ");
  const found = plain.match(LEXEME) ?? [];
  for (const [i, lexeme] of found.entries()) {
    const lower = lexeme.toLowerCase();
    if (/^[-–—]$/.test(lexeme)) {
      // Between numbers it is a range; elsewhere (a minus, a dash) it is unknown.
      lexemes.push(isNumeric(found[i - 1]) && isNumeric(found[i + 1]) ? "to" : lexeme);
    } else if (lexeme === ":") lexemes.push(",");
    else if (/^\d/.test(lexeme) && / ?[ap]m$/.test(lower)) lexemes.push(lower.replace(" ", ""));
    else if (Object.hasOwn(CONTRACTIONS, lower)) lexemes.push(...(CONTRACTIONS[lower] as string[]));
    else if (lower.endsWith("n't")) lexemes.push(lower.slice(0, -3), "not");
    else if (lower.endsWith("'s")) lexemes.push(lexeme.slice(0, -2));
    else lexemes.push(lexeme);
  }
  return lexemes;
}

function isNumeric(lexeme: string | undefined): boolean {
  return lexeme !== undefined && /^\d/.test(lexeme);
}
