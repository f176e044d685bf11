// Import the package's index. Its main entry would also load the names of all countries in 79 languages in every
// thread.
import isoCountries from "i18n-iso-countries/index.js";
import { CURRENCY_EXPONENTS } from "./currencies.js";

/**
 * FMT-11: ISO codes come from maintained libraries, not from hand-typed lists. The country library adds XK for Kosovo,
 * which ISO 3166-1 does not assign, so it is removed.
 */
const USER_ASSIGNED = "XK";
const COUNTRY_SET: ReadonlySet<string> = new Set(
  Object.keys(isoCountries.getAlpha2Codes()).filter((code) => code !== USER_ASSIGNED),
);

/** ISO 4217, upper case. */
export function isCurrency(code: string): boolean {
  return CURRENCY_EXPONENTS.has(code);
}

/** ISO 3166-1 alpha-2, upper case. */
export function isCountry(code: string): boolean {
  return COUNTRY_SET.has(code);
}

/** Returns the codes in alphabetical order. */
export function currencies(): readonly string[] {
  return [...CURRENCY_EXPONENTS.keys()].toSorted();
}

/** Returns the codes in alphabetical order. */
export function countries(): readonly string[] {
  return [...COUNTRY_SET].toSorted();
}
