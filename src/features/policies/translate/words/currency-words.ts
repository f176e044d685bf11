import { currencies, isCurrency } from "../../../../domain/vocabulary/iso-codes.js";

/**
 * The currency that a sign or a bare word stands for by convention, and the units that it may name in other countries.
 */
interface SharedUnit {
  /** ISO 4217. Null when no convention settles it. */
  readonly code: string | null;
  readonly units: RegExp;
}

/**
 * Signs and words that several currencies use. By convention "$500" is USD and "£500" is GBP, but "$500 CAD" is CAD. No
 * convention decides between yen and yuan, so a bare "¥500" is refused.
 */
const SHARED_UNITS: Readonly<Record<string, SharedUnit>> = {
  dollar: { code: "USD", units: /\b(?:dollar|peso)$/ },
  pound: { code: "GBP", units: /\bpound$/ },
  yen: { code: null, units: /\b(?:yen|yuan)$/ },
};

const ENGLISH_NAMES = new Intl.DisplayNames(["en"], { type: "currency" });
const nameOf = (code: string): string => (ENGLISH_NAMES.of(code) ?? "").toLowerCase();

/** The codes come from the service's table, because ICU lacks some (CLF, VED). */
export const CURRENCY_CODES: readonly string[] = currencies();

/** English names of two words or more, singular and plural: "Canadian dollar", "Swiss francs". */
export const CURRENCY_NAMES: ReadonlyMap<string, string> = new Map(
  Intl.supportedValuesOf("currency")
    .filter(isCurrency)
    .flatMap((code) =>
      [nameOf(code), pluralOf(code)]
        .filter((name) => /^\p{L}+(?: \p{L}+)+$/u.test(name))
        .map((name): [string, string] => [name, code]),
    ),
);

export const CURRENCY_NAME_WORDS_MAX = 5;

function pluralOf(code: string): string {
  const parts = new Intl.NumberFormat("en", {
    style: "currency",
    currency: code,
    currencyDisplay: "name",
  }).formatToParts(2);
  return (parts.find(({ type }) => type === "currency")?.value ?? "").toLowerCase();
}

/** Returns the conventional currency of a shared sign or word, or null when there is none. */
export function conventionalCurrency(shared: string): string | null {
  return SHARED_UNITS[shared]?.code ?? null;
}

/** True when the currency itself uses the sign or word: `$` beside CAD, but not beside EUR. */
export function usesUnit(code: string, shared: string): boolean {
  return code !== "" && SHARED_UNITS[shared]?.units.test(nameOf(code)) === true;
}
