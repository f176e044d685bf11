import { HARD_DECLINE_CODES } from "../vocabulary/hard-decline-codes.js";
import type { Blame } from "../vocabulary/vocabulary.js";

/** One row of the published table: a provider reason code that says who caused a decline. */
export interface DeclineBlame {
  /** The code that providers pass on. It is compared exactly. */
  readonly code: string;
  readonly meaning: string;
  readonly blame: Exclude<Blame, "provider">;
  readonly source: string;
  /** ISO 8601: the day from which the source applies, or the day on which this table added the name. */
  readonly date: string;
}

const ISO_8583 = { source: "ISO 8583:1987 response codes, field 39", date: "1987-08-15" } as const;
const VISA = {
  source: "Visa Core Rules, decline response codes, categories 2 and 3",
  date: "2021-04-17",
} as const;
const NAMES = { source: "Names that providers' interfaces give to these codes", date: "2026-11-26" } as const;

/** HLTH-30: the soft declines that the customer or the issuer caused. */
export const SOFT_DECLINE_BLAMES: readonly DeclineBlame[] = [
  { code: "51", meaning: "Insufficient funds", blame: "customer", ...ISO_8583 },
  { code: "54", meaning: "Expired card", blame: "customer", ...ISO_8583 },
  { code: "55", meaning: "Incorrect PIN", blame: "customer", ...ISO_8583 },
  { code: "61", meaning: "Exceeds the withdrawal amount limit", blame: "customer", ...ISO_8583 },
  { code: "65", meaning: "Exceeds the withdrawal frequency limit", blame: "customer", ...ISO_8583 },
  { code: "75", meaning: "PIN tries exceeded", blame: "customer", ...ISO_8583 },
  { code: "62", meaning: "Restricted card", blame: "issuer", ...ISO_8583 },
  { code: "91", meaning: "Issuer or switch is inoperative", blame: "issuer", ...ISO_8583 },
  { code: "1A", meaning: "Additional customer authentication required", blame: "customer", ...VISA },
  { code: "70", meaning: "PIN data required", blame: "customer", ...VISA },
  { code: "78", meaning: "Blocked, first used or special condition", blame: "issuer", ...VISA },
  { code: "82", meaning: "Negative online CAM, dCVV, iCVV or CVV result", blame: "customer", ...VISA },
  { code: "86", meaning: "PIN cannot be verified", blame: "customer", ...VISA },
  { code: "N7", meaning: "Decline for CVV2 failure", blame: "customer", ...VISA },
  { code: "insufficient_funds", meaning: "Insufficient funds", blame: "customer", ...NAMES },
  { code: "not_sufficient_funds", meaning: "Insufficient funds", blame: "customer", ...NAMES },
  { code: "expired_card", meaning: "Expired card", blame: "customer", ...NAMES },
  { code: "incorrect_cvc", meaning: "Wrong CVV", blame: "customer", ...NAMES },
  { code: "invalid_cvc", meaning: "Wrong CVV", blame: "customer", ...NAMES },
  { code: "incorrect_cvv", meaning: "Wrong CVV", blame: "customer", ...NAMES },
  { code: "invalid_cvv", meaning: "Wrong CVV", blame: "customer", ...NAMES },
  { code: "cvv_mismatch", meaning: "Wrong CVV", blame: "customer", ...NAMES },
  { code: "wrong_cvv", meaning: "Wrong CVV", blame: "customer", ...NAMES },
  { code: "incorrect_pin", meaning: "Incorrect PIN", blame: "customer", ...NAMES },
  { code: "invalid_pin", meaning: "Incorrect PIN", blame: "customer", ...NAMES },
  { code: "pin_try_exceeded", meaning: "PIN tries exceeded", blame: "customer", ...NAMES },
  { code: "incorrect_number", meaning: "Wrong card number", blame: "customer", ...NAMES },
  { code: "invalid_number", meaning: "Wrong card number", blame: "customer", ...NAMES },
  { code: "invalid_expiry_month", meaning: "Wrong expiry date", blame: "customer", ...NAMES },
  { code: "invalid_expiry_year", meaning: "Wrong expiry date", blame: "customer", ...NAMES },
  { code: "authentication_required", meaning: "Authentication required", blame: "customer", ...NAMES },
  { code: "authentication_failed", meaning: "Authentication failed", blame: "customer", ...NAMES },
  { code: "withdrawal_count_limit_exceeded", meaning: "Exceeds a card limit", blame: "customer", ...NAMES },
  { code: "card_velocity_exceeded", meaning: "Exceeds a card limit", blame: "customer", ...NAMES },
  { code: "exceeds_limit", meaning: "Exceeds a card limit", blame: "customer", ...NAMES },
  { code: "issuer_not_available", meaning: "Issuer is unavailable", blame: "issuer", ...NAMES },
  { code: "issuer_unavailable", meaning: "Issuer is unavailable", blame: "issuer", ...NAMES },
  { code: "restricted_card", meaning: "Restricted card", blame: "issuer", ...NAMES },
  {
    code: "card_not_supported",
    meaning: "The card does not support such a purchase",
    blame: "issuer",
    ...NAMES,
  },
];

const BLAMED: ReadonlyMap<string, Blame> = new Map([
  ...SOFT_DECLINE_BLAMES.map(({ code, blame }) => [code, blame] as const),
  // A hard decline is always the decision of the issuer.
  ...HARD_DECLINE_CODES.map(({ code }) => [code, "issuer"] as const),
]);

/**
 * HLTH-30: returns the party that a provider reason code blames. If the code names nobody, the provider is to blame.
 */
export function blameOf(providerReasonCode: string | null): Blame {
  return (providerReasonCode === null ? undefined : BLAMED.get(providerReasonCode)) ?? "provider";
}
