import currencyCodes from "currency-codes";

/** Decimal places of the currency's minor unit in ISO 4217 (USD 2, JPY 0, KWD 3), or null for a code it does not list. */
export function currencyExponent(code: string): number | null {
  return currencyCodes.code(code)?.digits ?? null;
}
