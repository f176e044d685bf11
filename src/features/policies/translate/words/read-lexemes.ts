import { CURRENCY_CODES } from "./currency-words.js";

/** A word, number, quoted code or sign, and its start in the sentence. */
export interface Lexeme {
  readonly text: string;
  readonly start: number;
}

/**
 * Cuts a sentence into lexemes in one pass. Only spaces are dropped. A character that belongs to no other lexeme
 * becomes one of its own, which no lexicon knows.
 */
const LEXEME = new RegExp(
  [
    String.raw`"[^"\s][^"]*"`,
    // Clock times: 22:00, 9am, 9:30 pm.
    String.raw`\d{1,2}:\d{2}(?: ?[AaPp][Mm](?![\p{L}\d_]))?`,
    String.raw`\d{1,2} ?[AaPp][Mm](?![\p{L}\d_])`,
    // Signs and codes in front of their amount: US$500, R$20, KSh5,000, USD5000.
    String.raw`(?:US|CAN?|C|AU?|NZ|HK|SG?|MX|NT|R)\$`,
    String.raw`(?:[Kk][Ss][Hh]s?|${CURRENCY_CODES.join("|")})(?=\d[\d,]*(?:\.\d+)?[KkMm]?(?![\p{L}\d_]))`,
    // A number, unless letters make it a word (3ds, 10m, R0). After a currency's sign, "2m" is two million.
    String.raw`\d+(?:,\d+)*(?:\.\d+)?(?=[Kk]?(?![\p{L}\d_])|[A-Za-z]{3}(?![\p{L}\d_])|[Bb][Pp][Ss]?(?![\p{L}\d_]))`,
    String.raw`(?<=\p{Sc})\d+(?:,\d+)*(?:\.\d+)?(?=[Mm](?![\p{L}\d_]))`,
    String.raw`[\p{L}\p{M}\d_]+(?:['’][\p{L}]+)*`,
    String.raw`[<>]=`,
    String.raw`\S`,
  ].join("|"),
  "gu",
);

const CONTRACTIONS: Readonly<Record<string, readonly string[]>> = {
  dont: ["do", "not"],
  doesnt: ["does", "not"],
  isnt: ["is", "not"],
  "it's": ["it", "is"],
  "that's": ["that", "is"],
  cannot: ["can", "not"],
};

export function readLexemes(sentence: string): Lexeme[] {
  const plain = sentence
    .replaceAll("’", "'")
    .replace(/[“”]/g, '"')
    // A hyphen inside a compound joins words ("high-risk").
    .replace(/(?<=[\p{L}\d])-(?=\p{L})/gu, " ");
  const found = Array.from(plain.matchAll(LEXEME), ({ 0: text, index }): Lexeme => ({ text, start: index }));
  return found.flatMap(({ text, start }, i) =>
    expanded(text, found[i - 1]?.text, found[i + 1]?.text).map((word) => ({ text: word, start })),
  );
}

function expanded(lexeme: string, before: string | undefined, after: string | undefined): readonly string[] {
  const lower = lexeme.toLowerCase();
  // A hyphen between numbers is a range. Elsewhere (a minus, a dash) it is unknown.
  if (/^[-–—]$/.test(lexeme)) return [isNumeric(before) && isNumeric(after) ? "to" : lexeme];
  if (lexeme === ":") return [","];
  if (/^\d/.test(lexeme) && / ?[ap]m$/.test(lower)) return [lower.replace(" ", "")];
  if (Object.hasOwn(CONTRACTIONS, lower)) return CONTRACTIONS[lower] as string[];
  if (lower.endsWith("n't")) return [lower.slice(0, -3), "not"];
  if (lower.endsWith("'s")) return [lexeme.slice(0, -2)];
  return [lexeme];
}

function isNumeric(lexeme: string | undefined): boolean {
  return lexeme !== undefined && /^\d/.test(lexeme);
}
