import { formatAmount, formatName } from "../../design/base/format.js";

/** Formats the parts of a price. A value of an unexpected type is shown unchanged. */

const NOTHING = "–";

/** Formats `290` as `2.90 %`. */
export function bpsText(bps: unknown): string {
  if (bps === undefined) return NOTHING;
  return typeof bps === "number" ? `${(bps / 100).toFixed(Number.isInteger(bps) ? 2 : 4)} %` : asGiven(bps);
}

/** Formats minor units in the currency's own notation. */
export function minorText(minor: unknown, currency: unknown): string {
  if (minor === undefined) return NOTHING;
  if (typeof minor !== "number" || typeof currency !== "string" || !/^[A-Z]{3}$/.test(currency))
    return asGiven(minor);
  return formatAmount(minor, currency);
}

export function wordText(word: unknown): string {
  if (word === undefined) return "any";
  const text = asGiven(word);
  // Ids and codes are shown unchanged. Names from the vocabulary are shown as words.
  return /^[a-z]+(_[a-z]+)*$/.test(text) ? formatName(text) : text;
}

function asGiven(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
