import { isKnownCurrency } from "../../../design/base/money.js";
import type { WhenDraft } from "../draft/draft.js";

/**
 * DASH-31: the one currency that `when` requires, or that of the conditions around it. Null if there is none, or
 * several, or if its decimals are unknown.
 */
export function ruleCurrency(when: WhenDraft, around: string | null): string | null {
  const listed: unknown = when["currency_in"];
  if (!Array.isArray(listed) || listed.length !== 1) return around;
  const [currency] = listed as unknown[];
  return typeof currency === "string" && isKnownCurrency(currency) ? currency : null;
}
