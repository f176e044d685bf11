import type { RetryCategory, RetryCodeKind } from "../vocabulary/vocabulary.js";

export interface AdviceRow {
  readonly code: string;
  /** Absent for an advice code of Mastercard. */
  readonly codeKind?: RetryCodeKind;
  readonly meaning: string;
  readonly category: RetryCategory;
  readonly waitHours?: number;
  readonly source: string;
  readonly effectiveDate: string;
}

const ADVICE = {
  source: "Mastercard merchant advice codes, as Braintree, payabl. and Heartland publish them",
  effectiveDate: "2023-11-01",
} as const;
const NO_RETRY = {
  source:
    "Mastercard Transaction Processing Excellence, merchant advice codes 03 and 21, as PayZu and TabaPay publish them",
  effectiveDate: "2023-02-01",
} as const;
const WAITS = {
  source: "Mastercard Authorization Optimizer, as Braintree, TabaPay and Heartland publish it",
  effectiveDate: "2023-11-01",
} as const;

const wait = (code: string, waitHours: number, time: string): AdviceRow => ({
  code,
  meaning: `Retry after ${time}`,
  category: "later",
  waitHours,
  ...WAITS,
});

/** Mastercard's advice codes, with which an issuer advises on another attempt. Only 03 and 21 forbid one. */
export const MASTERCARD_ADVICE: readonly AdviceRow[] = [
  { code: "01", meaning: "New account information available", category: "after_change", ...ADVICE },
  { code: "02", meaning: "Cannot approve at this time, try again later", category: "later", ...ADVICE },
  { code: "03", meaning: "Do not try again", category: "never", ...NO_RETRY },
  {
    code: "do_not_try_again",
    codeKind: "provider_name",
    meaning: "Do not try again",
    category: "never",
    ...NO_RETRY,
  },
  { code: "04", meaning: "Token requirements not fulfilled", category: "after_change", ...ADVICE },
  { code: "05", meaning: "Negotiated value not approved", category: "after_change", ...ADVICE },
  { code: "21", meaning: "Payment cancelled", category: "never", ...NO_RETRY },
  {
    code: "22",
    meaning: "Merchant does not qualify for product code",
    category: "after_change",
    ...ADVICE,
  },
  wait("24", 1, "1 hour"),
  wait("25", 24, "24 hours"),
  wait("26", 2 * 24, "2 days"),
  wait("27", 4 * 24, "4 days"),
  wait("28", 6 * 24, "6 days"),
  wait("29", 8 * 24, "8 days"),
  wait("30", 10 * 24, "10 days"),
  { code: "40", meaning: "Consumer non-reloadable prepaid card", category: "any_time", ...ADVICE },
  { code: "41", meaning: "Consumer single-use virtual card number", category: "any_time", ...ADVICE },
  { code: "42", meaning: "Sanctions scoring service", category: "any_time", ...ADVICE },
  { code: "43", meaning: "Consumer multi-use virtual card number", category: "any_time", ...ADVICE },
];
