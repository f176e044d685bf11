/** One row of the published table: a provider reason code after which no retry can succeed. */
export interface HardDeclineCode {
  /** The code that providers pass on. It is compared exactly. */
  readonly code: string;
  /** `response_code` for a code of Visa, `provider_name` for a provider's name for such a code. */
  readonly kind: "response_code" | "provider_name";
  readonly meaning: string;
  readonly source: string;
  /**
   * ISO 8601: the day since which the source applies to every issuer, or the day on which this table added the name.
   */
  readonly date: string;
}

const VISA = {
  kind: "response_code",
  source: "Visa Core Rules, decline response codes, category 1: issuer will never approve",
  date: "2021-04-17",
} as const;
const NAMES = {
  kind: "provider_name",
  source: "Names that providers' interfaces give to these codes",
  date: "2026-11-23",
} as const;

/**
 * OUT-7: a `declined` with one of these codes is a hard decline. RTRY-4: Visa allows no further attempt after them.
 * Other tables refer to this list and must not repeat its codes.
 */
export const HARD_DECLINE_CODES: readonly HardDeclineCode[] = [
  { code: "04", meaning: "Pick up card", ...VISA },
  { code: "07", meaning: "Pick up card, special condition", ...VISA },
  { code: "12", meaning: "Invalid transaction", ...VISA },
  { code: "14", meaning: "Invalid account number", ...VISA },
  { code: "15", meaning: "No such issuer", ...VISA },
  { code: "41", meaning: "Lost card", ...VISA },
  { code: "43", meaning: "Stolen card", ...VISA },
  { code: "46", meaning: "Closed account", ...VISA },
  { code: "57", meaning: "Transaction not permitted to cardholder", ...VISA },
  { code: "R0", meaning: "Stop payment order", ...VISA },
  { code: "R1", meaning: "Revocation of authorization order", ...VISA },
  { code: "R3", meaning: "Revocation of all authorization orders", ...VISA },
  { code: "stolen_card", meaning: "Stolen card", ...NAMES },
  { code: "lost_card", meaning: "Lost card", ...NAMES },
  { code: "pickup_card", meaning: "Pick up card", ...NAMES },
  { code: "do_not_try_again", meaning: "The issuer will never approve", ...NAMES },
  { code: "invalid_account", meaning: "Invalid account number", ...NAMES },
];
