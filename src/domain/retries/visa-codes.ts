import type { RetryCategory } from "../vocabulary/vocabulary.js";

interface VisaRow {
  /** Null for all codes without a row of their own. */
  readonly code: string | null;
  readonly meaning: string;
  readonly category: RetryCategory;
  readonly source: string;
  readonly effectiveDate: string;
}

/** The limit of 20 attempts in 30 days is the newest part of each row. Cielo dates it to the 25th. */
const EFFECTIVE_DATE = "2025-05-19";

const CATEGORY_2 = {
  category: "later",
  source:
    "Visa Core Rules, decline response codes, category 2, as Checkout.com, Forte, Yuno and Cielo publish it",
  effectiveDate: EFFECTIVE_DATE,
} as const;
const CATEGORY_3 = {
  category: "after_change",
  source:
    "Visa Core Rules, decline response codes, category 3, as Checkout.com, Forte and Worldpay publish it",
  effectiveDate: EFFECTIVE_DATE,
} as const;
const CATEGORY_4 = {
  category: "any_time",
  source: "Visa Core Rules, decline response codes, category 4, as Checkout.com and Worldpay publish it",
  effectiveDate: EFFECTIVE_DATE,
} as const;

const later = (code: string, meaning: string): VisaRow => ({ code, meaning, ...CATEGORY_2 });
const afterChange = (code: string, meaning: string): VisaRow => ({ code, meaning, ...CATEGORY_3 });

/**
 * Visa's categories 2 (the issuer cannot approve at this time), 3 (the issuer cannot approve with these details) and 4
 * (generic). Category 1 is in vocabulary/hard-decline-codes.ts. Code 14 is in 1 and 3, and counts as 1.
 */
export const VISA_CODES: readonly VisaRow[] = [
  later("03", "Invalid merchant"),
  later("19", "Re-enter transaction"),
  later("39", "No credit account"),
  later("51", "Not sufficient funds"),
  later("52", "No checking account"),
  later("53", "No savings account"),
  later("59", "Suspected fraud"),
  later("5C", "Transaction not supported, or blocked by the issuer"),
  later("61", "Exceeds approval amount limit"),
  later("62", "Restricted card, invalid in this region or country"),
  later("65", "Exceeds withdrawal frequency limit"),
  later("75", "Allowable number of PIN entry tries exceeded"),
  later("78", "Blocked, first used"),
  later("86", "Cannot verify PIN"),
  later("91", "Issuer or switch inoperative"),
  later("93", "Transaction cannot be completed, violation of law"),
  later("96", "System malfunction"),
  later("9G", "Blocked by the cardholder, who should be contacted"),
  later("N3", "Cash service not available"),
  later("N4", "Cash request exceeds the issuer's limit"),
  later("Z5", "Valid account, but the amount is not supported"),
  afterChange("1A", "Additional customer authentication required"),
  afterChange("54", "Expired card, or the expiry date is missing"),
  afterChange("55", "Incorrect PIN, or the PIN is missing"),
  afterChange("6P", "Verification of the cardholder's data failed"),
  afterChange("70", "PIN data required"),
  afterChange("82", "Negative result of the card verification value"),
  afterChange("N7", "Card verification value (CVV2) failed"),
  { code: null, meaning: "Every other code: generic", ...CATEGORY_4 },
];
