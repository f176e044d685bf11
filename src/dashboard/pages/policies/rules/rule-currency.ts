import { isKnownCurrency } from "../../../design/base/money.js";
import type { WhenDraft } from "../draft/draft.js";

/**
 * DASH-31: returns the one currency that `when` or the conditions around it require. Null if there is none or more
 * than one, or if its decimals are unknown.
 */
export function ruleCurrency(when: WhenDraft, around: string | null): string | null {
  const listed: unknown = when["currency_in"];
  if (!Array.isArray(listed) || listed.length !== 1) return around;
  const [currency] = listed as unknown[];
  return typeof currency === "string" && isKnownCurrency(currency) ? currency : null;
}
