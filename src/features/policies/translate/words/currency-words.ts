import { currencies, isCurrency } from "../../../../domain/vocabulary/iso-codes.js";

/** What a sign or a bare word stands for by convention, and the units it may be another country's name for. */
interface SharedUnit {
  /** ISO 4217; null where no convention settles it. */
  readonly code: string | null;
  readonly units: RegExp;
}

/**
 * Signs and words of several currencies. "$500" is USD by convention, as "£500" is GBP; "$500 CAD" is CAD. The yen and
 * the yuan share their sign evenly, so a bare "¥500" is refused.
 */
const SHARED_UNITS: Readonly<Record<string, SharedUnit>> = {
  dollar: { code: "USD", units: /\b(?:dollar|peso)$/ },
  pound: { code: "GBP", units: /\bpound$/ },
  yen: { code: null, units: /\b(?:yen|yuan)$/ },
};

const ENGLISH_NAMES = new Intl.DisplayNames(["en"], { type: "currency" });
const nameOf = (code: string): string => (ENGLISH_NAMES.of(code) ?? "").toLowerCase();

/** Of the table, not of ICU, which lacks some (CLF, VED). */
export const CURRENCY_CODES: readonly string[] = currencies();

/** English names of two words and more, one and many: "Canadian dollar", "Swiss francs". */
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

/** The conventional currency of a shared sign or word, or null where there is none. */
export function conventionalCurrency(shared: string): string | null {
  return SHARED_UNITS[shared]?.code ?? null;
}

/** True where the sign or word is one that the currency itself uses: `$` beside CAD, not beside EUR. */
export function usesUnit(code: string, shared: string): boolean {
  return code !== "" && SHARED_UNITS[shared]?.units.test(nameOf(code)) === true;
}
