import { COUNTRY_CODES_BY_NAME, COUNTRY_NAME_STARTS, plainCountryName } from "./country-names.js";
import type { ProviderId } from "../../../../domain/vocabulary/decision-request.js";
import { isCountry, isCurrency } from "../../../../domain/vocabulary/iso-codes.js";
import { conventionalCurrency, CURRENCY_NAME_WORDS_MAX, CURRENCY_NAMES, usesUnit } from "./currency-words.js";
import { SILENT_WORDS, SPELLINGS, SPELLING_WORDS_MAX } from "../grammar/lexicon.js";
import { type Lexeme, readLexemes } from "./read-lexemes.js";
import { resolvePronouns } from "./resolve-pronouns.js";
import type { WarningCode } from "../grammar/translation-warning.js";
import type { Word } from "../grammar/syntax.js";

export type Normalized = { ok: true; words: readonly Word[] } | { ok: false; code: WarningCode };

/** The words after which a code that is also a word ("IN", "NO", "ALL") is read as the code. */
const BEFORE_A_COUNTRY = new Set(["in", "from", "outside", "country", "comma", "and", "or", "is", "not"]);
const BEFORE_A_CURRENCY = new Set(["in", "currency", "thousand", "million"]);
const SCALES = new Set(["thousand", "million"]);

/** The words after which "one" is a number and not a pronoun. */
const BEFORE_A_NUMBER = new Set([
  "over",
  "atleast",
  "under",
  "atmost",
  "exactly",
  "only",
  "younger",
  "older",
]);
const NUMBER_WORDS: ReadonlyMap<string, string> = new Map(
  ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"].map((word, i) => [
    word,
    String(i + 2),
  ]),
);

const OPEN_ENDS = new Set(["ormore", "orless"]);

/** Names up to this length count only in capitals, so that "us" is not the United States. */
const CAPITALS_ONLY_LENGTH = 3;

export function normalizeSentence(sentence: string, providers: ReadonlySet<ProviderId>): Normalized {
  const found = readLexemes(sentence).filter(({ text }) => !SILENT_WORDS.has(text.toLowerCase()));
  const lexemes = found.map(({ text }) => text);
  const lowered = lexemes.map((lexeme) => lexeme.toLowerCase());
  const shouted = !/\p{Ll}/u.test(sentence);
  const words: Word[] = [];
  let unknownProvider = false;
  for (let i = 0; i < lexemes.length;) {
    const { text: lexeme, start } = found[i] as Lexeme;
    const lower = lowered[i] as string;
    const previous = words.at(-1)?.text ?? "";
    const provider = providerAt(lowered, i, providers);
    if (provider !== null) {
      unknownProvider ||= !provider.known;
      words.push({ text: entity("provider", provider.id), start });
      i += provider.lexemes;
      continue;
    }
    const match = currencyNameAt(lowered, i) ?? wordAt(lexemes, lowered, i, previous, shouted);
    if (match === null) {
      const word = freeWord(lexeme, lower);
      if (word === null) return { ok: false, code: "not_understood" };
      words.push({ text: word, start });
      i++;
    } else {
      const isNumber = match.word === "one" && BEFORE_A_NUMBER.has(previous);
      words.push({ text: isNumber ? entity("num", "1") : match.word, start });
      i += match.lexemes;
    }
  }
  const settled = settleCurrencies(words);
  if (settled === null) return { ok: false, code: "ambiguous_currency" };
  if (unknownProvider) return { ok: false, code: "unknown_provider" };
  return { ok: true, words: resolvePronouns(settled) };
}

interface Match {
  readonly word: string;
  readonly lexemes: number;
}

/** Currency names are tried first, so that "US dollars" names no country. */
function currencyNameAt(lowered: readonly string[], at: number): Match | null {
  for (let length = CURRENCY_NAME_WORDS_MAX; length > 1; length--) {
    const code = CURRENCY_NAMES.get(lowered.slice(at, at + length).join(" "));
    if (code !== undefined) return { word: entity("currency", code), lexemes: length };
  }
  return null;
}

function wordAt(
  lexemes: readonly string[],
  lowered: readonly string[],
  at: number,
  previous: string,
  shouted: boolean,
): Match | null {
  const code = codeOf(lexemes[at] as string, lowered[at] as string, previous, shouted);
  return code === null ? phraseAt(lexemes, lowered, at) : { word: code, lexemes: 1 };
}

/**
 * Replaces a shared sign or word by the currency beside its amount, or by the conventional currency. Returns null if
 * neither is clear.
 */
function settleCurrencies(words: readonly Word[]): readonly Word[] | null {
  const settled: Word[] = [];
  for (const [i, word] of words.entries()) {
    if (word.text === "manycurrencies") return null;
    if (!word.text.startsWith("shared:")) {
      settled.push(word);
      continue;
    }
    const shared = word.text.slice("shared:".length);
    const named = [codeAfterAmount(words, i + 1), codeOfEntity(words[i - 1])];
    if (named.some((code) => usesUnit(code, shared))) continue;
    const code = conventionalCurrency(shared);
    // In "CAD payments over $500" the sign probably means CAD and not USD, so the amount is refused.
    const others = words.map(codeOfEntity).filter((other) => other !== code);
    if (code === null || others.some((other) => usesUnit(other, shared))) return null;
    settled.push({ ...word, text: entity("currency", code) });
  }
  return settled;
}

/** Returns the code in "500 CAD", "1.5k CAD" and "500 in CAD", or '' without one. */
function codeAfterAmount(words: readonly Word[], at: number): string {
  if (words[at]?.text.startsWith("num:") !== true) return "";
  let next = at + 1;
  if (SCALES.has(words[next]?.text ?? "")) next++;
  if (words[next]?.text === "in") next++;
  return codeOfEntity(words[next]);
}

function codeOfEntity(word: Word | undefined): string {
  return word?.text.startsWith("currency:") === true ? word.text.slice("currency:".length) : "";
}

function entity(kind: string, value: string): string {
  return `${kind}:${encodeURIComponent(value)}`;
}

const PROVIDER_SHAPED = /^provider_\d+$/;

/**
 * Finds a provider id in any capitals, also with a space before its number: `provider 1`. The provider may be unknown.
 */
function providerAt(
  lowered: readonly string[],
  at: number,
  providers: ReadonlySet<ProviderId>,
): { id: ProviderId; known: boolean; lexemes: number } | null {
  const own = lowered[at] as string;
  if (providers.has(own) || PROVIDER_SHAPED.test(own))
    return { id: own, known: providers.has(own), lexemes: 1 };
  const spaced = `${own}_${lowered[at + 1]}`;
  const next = lowered[at + 2];
  const isNumber = /^\d+$/.test(lowered[at + 1] ?? "") && next !== "%" && next !== "percent";
  if (!isNumber || !(providers.has(spaced) || PROVIDER_SHAPED.test(spaced))) return null;
  return { id: spaced, known: providers.has(spaced), lexemes: 2 };
}

/** ISO codes are upper case (FMT-11). A currency's code may be lower case after a number. */
function codeOf(lexeme: string, lower: string, previous: string, shouted: boolean): string | null {
  const isWord = SPELLINGS.has(lower);
  const afterNumber = previous.startsWith("num:") || previous === "thousand" || previous === "million";
  if (/^[A-Z]{2}$/.test(lexeme) && isCountry(lexeme)) {
    const isCode = !isWord || (!shouted && BEFORE_A_COUNTRY.has(previous));
    return isCode ? entity("country", lexeme) : null;
  }
  if (/^[A-Z]{3}$/.test(lexeme) && isCurrency(lexeme)) {
    const isCode = !isWord || (!shouted && (afterNumber || BEFORE_A_CURRENCY.has(previous)));
    return isCode ? entity("currency", lexeme) : null;
  }
  if (/^[a-z]{3}$/.test(lexeme) && afterNumber && !isWord && isCurrency(lexeme.toUpperCase())) {
    return entity("currency", lexeme.toUpperCase());
  }
  return null;
}

/** Finds the longest spelling or country name that starts here. */
function phraseAt(lexemes: readonly string[], lowered: readonly string[], at: number): Match | null {
  const mayBeCountry = COUNTRY_NAME_STARTS.has(plainCountryName(lexemes[at] as string));
  for (let length = Math.min(SPELLING_WORDS_MAX, lowered.length - at); length > 0; length--) {
    const span = lowered.slice(at, at + length);
    const phrase = span.join(" ");
    const word = SPELLINGS.get(phrase);
    // "Over 80 or more than 5 attempts": the words after "or" are another comparison.
    if (OPEN_ENDS.has(word ?? "") && lowered[at + length] === "than") continue;
    if (word !== undefined) return { word, lexemes: length };
    // A sign between words is never part of a name: "France, Germany" are two names.
    if (!mayBeCountry || !span.every((word) => /^\p{L}/u.test(word))) continue;
    const country = COUNTRY_CODES_BY_NAME.get(plainCountryName(phrase));
    const first = lexemes[at] as string;
    const isName = length > 1 || first.length > CAPITALS_ONLY_LENGTH || first === first.toUpperCase();
    if (country !== undefined && isName) {
      return { word: entity("country", country), lexemes: length };
    }
  }
  return null;
}

/** Reads a number, a clock time, or a name that no lexicon knows, such as a reason code. */
function freeWord(lexeme: string, lower: string): string | null {
  if (lexeme.startsWith('"')) return entity("ident", lexeme.slice(1, -1));
  const spelledOut = NUMBER_WORDS.get(lower);
  if (spelledOut !== undefined) return entity("num", spelledOut);
  if (/^\d[\d,]*(?:\.\d+)?$/.test(lexeme)) return entity("num", lexeme);
  if (/^\d{1,2}(?::\d{2})?(?:am|pm)$/.test(lower) || /^\d{1,2}:\d{2}$/.test(lower))
    return entity("time", lower);
  if (/^\w+$/.test(lexeme) && /[_\d]/.test(lexeme)) {
    const spaced = SPELLINGS.get(lower.replaceAll("_", " "));
    return spaced ?? entity("ident", lexeme);
  }
  return null;
}
