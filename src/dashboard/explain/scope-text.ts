import type { PinScope } from "../api/drills/provider-pins.js";
import { formatName } from "../design/base/format.js";

/** Formats as `card payments in EUR`, `everywhere` or `everywhere, in test mode`. */
export function scopeText({ mode, ...segments }: PinScope): string {
  return mode === undefined ? segmentsText(segments) : `${segmentsText(segments)}, in ${mode} mode`;
}

function segmentsText({ payment_method, currency }: Omit<PinScope, "mode">): string {
  if (payment_method === null && currency === null) return "everywhere";
  const method =
    payment_method === null ? "all payments" : `${formatName(payment_method).toLowerCase()} payments`;
  return currency === null ? method : `${method} in ${currency}`;
}
