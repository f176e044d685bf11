import { CURRENCY_EXPONENTS } from "../../../../domain/vocabulary/currencies.js";
import type { NumberText } from "../grammar/syntax.js";
import type { WarningCode } from "../grammar/translation-warning.js";

const NUMBER = /^(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/;

/**
 * Returns the number times ten to the power of `exponent`, if that is a safe whole number. A comma may only group
 * thousands.
 */
export function scaled({ digits, factor }: NumberText, exponent: number): number | "fraction" | "unreadable" {
  const [, whole, decimals = ""] = NUMBER.exec(digits) ?? [];
  if (whole === undefined) return "unreadable";
  const text = whole.replaceAll(",", "");
  if (text.length + decimals.length > 40) return "unreadable";
  const unit = 10n ** BigInt(decimals.length);
  const value = BigInt(text + decimals) * BigInt(factor) * 10n ** BigInt(exponent);
  if (value % unit !== 0n) return "fraction";
  return value / unit > BigInt(Number.MAX_SAFE_INTEGER) ? "unreadable" : Number(value / unit);
}

/** TRANS-6: converts major to minor units by the currency's ISO exponent: JPY 0, USD 2, KWD 3. */
export function minorUnits(number: NumberText, currency: string): number | WarningCode {
  const exponent = CURRENCY_EXPONENTS.get(currency);
  if (exponent === undefined) return "number_out_of_range";
  // "5.000 USD" may mean five or five thousand. More decimals than the currency has are therefore refused.
  const decimals = number.digits.split(".")[1]?.length ?? 0;
  if (decimals > exponent + Math.log10(number.factor)) return "amount_precision";
  const minor = scaled(number, exponent);
  if (minor === "fraction") return "amount_precision";
  return minor === "unreadable" ? "number_out_of_range" : minor;
}

/** Returns the number if it is whole and within the bounds, else null. */
export function wholeNumber(number: NumberText, min: number, max: number, exponent = 0): number | null {
  const value = scaled(number, exponent);
  return typeof value === "number" && value >= min && value <= max ? value : null;
}
