import type { PinScope } from "../../api/provider-pins.js";
import { formatName } from "../../design/base/format.js";

/** Formats as `card payments in EUR` or `everywhere`. */
export function scopeText({ payment_method, currency }: PinScope): string {
  if (payment_method === null && currency === null) return "everywhere";
  const method =
    payment_method === null ? "all payments" : `${formatName(payment_method).toLowerCase()} payments`;
  return currency === null ? method : `${method} in ${currency}`;
}
