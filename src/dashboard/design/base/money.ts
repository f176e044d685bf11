import { CURRENCY_EXPONENTS } from "../../../domain/vocabulary/currencies.js";

/** DASH-30: amounts as people type them. Digits are moved as text, so no amount is rounded. */

export type ParsedAmount = { ok: true; minor: number } | { ok: false; error: string };

const DECIMAL = /^(-?)(\d+)(?:\.(\d*))?$/;

export function isKnownCurrency(currency: string): boolean {
  return CURRENCY_EXPONENTS.has(currency);
}

/** Reads `12.50` in USD as 1250 minor units. ISO 4217 limits the number of decimals. */
export function parseAmount(text: string, currency: string): ParsedAmount {
  const exponent = CURRENCY_EXPONENTS.get(currency);
  if (exponent === undefined) return { ok: false, error: `${currency} is no currency of ISO 4217.` };
  const example = `Write an amount as ${decimalAmount(125_000, currency)}.`;
  const [, sign = "", whole, fraction = ""] = DECIMAL.exec(text.trim()) ?? [];
  if (whole === undefined) return { ok: false, error: example };
  if (fraction.length > exponent) return { ok: false, error: tooManyDecimals(currency, exponent) };
  const minor = Number(`${sign}${whole}${fraction.padEnd(exponent, "0")}`);
  if (!Number.isSafeInteger(minor)) return { ok: false, error: "The amount is too large." };
  // No amount is minus zero.
  return { ok: true, minor: minor === 0 ? 0 : minor };
}

function tooManyDecimals(currency: string, exponent: number): string {
  if (exponent === 0) return `${currency} has no decimals.`;
  return `${currency} has ${exponent} decimals.`;
}

/** Writes 1250 minor units of USD as `12.50`. `parseAmount` reads this form. */
export function decimalAmount(minor: number, currency: string): string {
  const exponent = CURRENCY_EXPONENTS.get(currency) ?? 0;
  if (exponent === 0 || !Number.isSafeInteger(minor)) return String(minor);
  const digits = String(Math.abs(minor)).padStart(exponent + 1, "0");
  return `${minor < 0 ? "-" : ""}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}
