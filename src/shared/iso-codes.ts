import currencyCodes from "currency-codes";
import countries from "i18n-iso-countries";

/** contract §1: upper-case ISO codes from kept libraries, not hand-typed lists. */
export const CURRENCIES: readonly string[] = currencyCodes.codes().toSorted();
export const COUNTRIES: readonly string[] = Object.keys(countries.getAlpha2Codes()).toSorted();

const CURRENCY_SET: ReadonlySet<string> = new Set(CURRENCIES);
const COUNTRY_SET: ReadonlySet<string> = new Set(COUNTRIES);

/** ISO 4217, upper case. */
export function isCurrency(code: string): boolean {
  return CURRENCY_SET.has(code);
}

/** ISO 3166-1 alpha-2, upper case. */
export function isCountry(code: string): boolean {
  return COUNTRY_SET.has(code);
}
