import { HARD_DECLINE_CODES } from "../vocabulary/hard-decline-codes.js";
import type { RetryCategory, RetryCodeKind, RetryScheme } from "../vocabulary/vocabulary.js";
import { MASTERCARD_ADVICE, type AdviceRow } from "./mastercard-advice.js";
import type { AttemptLimit, RetryRule } from "./retry-rule.js";
import { VISA_CODES } from "./visa-codes.js";

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** RTRY-5: the limits of each scheme. */
const LIMITS_OF_SCHEME = {
  visa: [{ attempts: 20, windowSeconds: 30 * DAY_SECONDS }],
  mastercard: [
    { attempts: 10, windowSeconds: DAY_SECONDS },
    { attempts: 35, windowSeconds: 30 * DAY_SECONDS },
  ],
} as const satisfies Record<RetryScheme, readonly AttemptLimit[]>;

const MASTERCARD_OTHER = {
  source:
    "Mastercard Transaction Processing Excellence, excessive attempts, as Braintree and Checkout.com publish it",
  effectiveDate: "2023-11-01",
} as const;

interface Row {
  readonly scheme: RetryScheme;
  readonly code: string | null;
  readonly codeKind: RetryCodeKind;
  readonly meaning: string;
  readonly category: RetryCategory;
  readonly waitSeconds?: number;
  readonly source: string;
  readonly effectiveDate: string;
}

function ruleOf(row: Row): RetryRule {
  const { scheme, code, category, waitSeconds = 0 } = row;
  return {
    ...row,
    ruleId: `${scheme}_${code ?? "any_other"}`,
    waitSeconds,
    limits: category === "never" ? [] : LIMITS_OF_SCHEME[scheme],
    version: 1,
  };
}

/** RTRY-4: Visa's category 1, with the names that providers give to its codes. */
const VISA_NEVER = HARD_DECLINE_CODES.map(({ code, kind, meaning, source, date }) =>
  ruleOf({
    scheme: "visa",
    code,
    codeKind: kind,
    meaning,
    category: "never",
    source,
    effectiveDate: date,
  }),
);

const VISA_OTHERS = VISA_CODES.map((row) =>
  ruleOf({ scheme: "visa", codeKind: row.code === null ? "any_other" : "response_code", ...row }),
);

const adviceRule = ({ waitHours = 0, ...row }: AdviceRow): RetryRule =>
  ruleOf({
    scheme: "mastercard",
    codeKind: "advice_code",
    waitSeconds: waitHours * HOUR_SECONDS,
    ...row,
  });

/**
 * RTRY-2 to RTRY-6: the schemes' rules on retries, from public sources, which docs/decisions/0082 lists. A scheme
 * without a row has no rule that could be cited. Keep replaced rows, because earlier decisions used them.
 */
const EVERY_RULE: readonly RetryRule[] = [
  ...VISA_NEVER,
  ...VISA_OTHERS,
  ...MASTERCARD_ADVICE.map(adviceRule),
  ruleOf({
    scheme: "mastercard",
    code: null,
    codeKind: "any_other",
    meaning: "Every other code: no advice on when to try again",
    category: "any_time",
    ...MASTERCARD_OTHER,
  }),
];

/** The version of the whole table: the version of its newest row. */
export const RETRY_RULES_VERSION = Math.max(...EVERY_RULE.map(({ version }) => version));

/**
 * RTRY-10: the rules as of a version of the table. For each rule id, it takes the newest row of that version or an
 * earlier one.
 */
export function retryRulesOf(version: number): readonly RetryRule[] {
  const newest = new Map<string, RetryRule>();
  for (const rule of EVERY_RULE) {
    const known = newest.get(rule.ruleId);
    if (rule.version <= version && (known === undefined || known.version < rule.version)) {
      newest.set(rule.ruleId, rule);
    }
  }
  return [...newest.values()];
}

/** The rules of the newest version. */
export const RETRY_RULES: readonly RetryRule[] = retryRulesOf(RETRY_RULES_VERSION);
