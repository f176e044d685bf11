import { LIMITS } from "../vocabulary/limits.js";
import { OPTIMIZATION_MODES } from "../vocabulary/vocabulary.js";
import type { ActionOption, ActionRow } from "./action-row.js";

const POINTS = [0, 100] as const;
/** COST-12: the whole amount, in basis points. */
export const WHOLE_AMOUNT_BPS = 10_000;

const INTERVENTION = {
  reason_code: {
    kind: "reason_code",
    presence: "optional",
    label: "Reason code",
    hint: "UPPER_SNAKE; added to the decision's own",
  },
} as const satisfies ActionRow["options"];

const SELECTION = {
  providers: { kind: "providers", presence: "required", label: "Providers" },
} as const satisfies ActionRow["options"];

const bps = {
  kind: "number",
  isInteger: true,
  bounds: [0, WHOLE_AMOUNT_BPS],
  presence: "optional",
} as const satisfies Partial<ActionOption>;

/**
 * Each `then.type` has one row (RULE-1 to RULE-10). The schemas, the normal form, the compiler, the linter, the
 * translator, the dashboard's editor and the tests' generators read this table. policy-evaluation.ts has the effects.
 */
export const ACTION_ROWS = {
  block: {
    title: "Block the payment",
    setsCode: "BLOCKED_BY_POLICY",
    commands: ["(block | decline) Scope Tag?", "Scope is blocked Tail Tag?"],
    isIntervention: true,
    options: INTERVENTION,
    endsPayment: true,
  },
  hold: {
    title: "Hold for review",
    setsCode: "HOLD_REQUIRED_BY_POLICY",
    commands: [
      "hold ForReview? Scope ForReview? Tag?",
      "flag Scope ForReview Tail",
      "put Scope onhold Tail",
      "send Scope (to | for) (review | hold) Tail",
      "require (review | hold) Tail Tag?",
      "Scope is (held | hold) ForReview? Tail Tag?",
      "Scope require (review | hold) Tail Tag?",
    ],
    isIntervention: true,
    options: INTERVENTION,
  },
  step_up: {
    title: "Ask for step-up",
    setsCode: "STEP_UP_REQUIRED_BY_POLICY",
    commands: [
      "stepup Scope withauthentication Tail Tag?",
      "stepup Scope Tag?",
      "(require | use) (authentication | stepup) (to Target)? Tail Tag?",
      "Scope is steppedup withauthentication? Tail Tag?",
      "Scope require (authentication | stepup) Tail Tag?",
    ],
    isIntervention: true,
    options: INTERVENTION,
  },
  prefer_provider: {
    title: "Prefer providers",
    setsCode: "POLICY_PREFERRED_PROVIDER",
    alias: "preferred_provider",
    commands: null,
    options: {
      providers: { ...SELECTION.providers, hint: "First choice first" },
      strict: {
        kind: "flag",
        presence: "filled",
        default: true,
        label: "Strict: they go first while healthy",
      },
      boost: {
        kind: "number",
        isInteger: false,
        bounds: POINTS,
        presence: "filled",
        default: 15,
        label: "Boost",
        hint: "Points added to the score; used when not strict",
      },
    },
  },
  exclude_provider: {
    title: "Exclude providers",
    setsCode: "POLICY_EXCLUDED_PROVIDER",
    alias: "excluded_provider",
    commands: [
      "(avoid | exclude | block) Providers Tail",
      "donotsend Scope (to | via | with | on) Providers Tail",
      "use all providerword except Providers Tail",
    ],
    options: SELECTION,
    leaves: "others",
  },
  restrict_providers: {
    title: "Restrict to providers",
    setsCode: "POLICY_EXCLUDED_PROVIDER",
    commands: [
      "onlyuse Providers Tail",
      "(restrict | limit) providerword to only? Providers Tail",
      "(avoid | exclude) all providerword except Providers Tail",
      "(restrict | limit) Scope to only? Providers Tail",
      "send Scope to only Providers Tail",
      "send Scope to Providers only Tail",
    ],
    options: SELECTION,
    leaves: "listed",
  },
  require_min_health: {
    title: "Require a minimum health",
    setsCode: "HEALTH_BELOW_POLICY_MINIMUM",
    commands: null,
    options: {
      min_score: {
        kind: "number",
        isInteger: false,
        bounds: POINTS,
        presence: "required",
        label: "Minimum score",
      },
      providers: {
        kind: "providers",
        presence: "optional",
        label: "Only for",
        hint: "None chosen: for all",
      },
    },
  },
  retry_on_timeout: {
    title: "Retry on timeout",
    setsCode: "RETRY_ALLOWED_BY_POLICY",
    commands: null,
    options: {
      same_provider: { kind: "flag", presence: "filled", default: true, label: "With the same provider" },
    },
  },
  retry_within_scheme_rules: {
    title: "Retry within the schemes’ rules",
    setsCode: "RETRY_ALLOWED_BY_SCHEME_RULES",
    commands: ["retry Scope withinschemerules Tail"],
    options: {
      max_attempts_24h: {
        kind: "number",
        isInteger: true,
        bounds: [1, LIMITS.retryAttemptsMax],
        presence: "optional",
        label: "At most, in 24 hours",
        placeholder: "as the scheme allows",
        hint: "Attempts of an order, the first one included",
      },
      min_expected_gain_minor: {
        kind: "number",
        isInteger: true,
        bounds: [0, Number.MAX_SAFE_INTEGER],
        presence: "optional",
        label: "Only for a gain of at least",
        placeholder: "any",
        hint: "What the retry is expected to earn, less its cost",
      },
    },
    countsAttempts: true,
  },
  no_retry: {
    title: "Never retry after",
    setsCode: "RETRY_SUPPRESSED_BY_POLICY",
    commands: [
      "noretry Codes Tail",
      "noretry Target? RetryOn Codes Tail",
      "noretry Declined (with | for | on) Codes Tail",
    ],
    options: {
      reason_codes: {
        kind: "provider_reason_codes",
        presence: "required",
        label: "Provider reason codes",
        hint: "Compared exactly; Enter adds one",
      },
    },
  },
  max_cost: {
    title: "Limit the cost",
    setsCode: "COST_ABOVE_POLICY_LIMIT",
    commands: null,
    options: {
      max_effective_bps: {
        ...bps,
        label: "At most, of the amount",
        placeholder: "no limit",
        hint: "Basis points",
      },
      max_cost_minor: {
        kind: "number",
        isInteger: true,
        bounds: [0, LIMITS.amountMinorMax],
        presence: "optional",
        label: "At most, in all",
        placeholder: "no limit",
        hint: "In the payment's currency",
      },
    },
    needsOneOf: ["max_effective_bps", "max_cost_minor"],
    description: "One limit or both.",
    controlsCost: true,
  },
  optimize_for: {
    title: "Optimize for",
    commands: null,
    options: {
      mode: { kind: "choice", values: OPTIMIZATION_MODES, presence: "required", label: "Goal" },
      // COST-12: the default applies to the mode `margin` only. Every other mode uses the whole amount.
      margin_bps: { ...bps, default: 2000, label: "Margin", hint: "Basis points; for the goal margin" },
      max_approval_drop_bps: {
        ...bps,
        default: 100,
        label: "Largest loss of approval",
        hint: "Basis points; for the goal cost",
      },
    },
    controlsCost: true,
  },
  split_traffic: {
    title: "Split traffic",
    setsCode: "TRAFFIC_SPLIT_APPLIED",
    commands: null,
    options: {
      weights: {
        kind: "weights",
        presence: "required",
        label: "Percent of orders",
        hint: "Together 100",
      },
    },
    description: "The weights sum to 100.",
  },
} as const satisfies Readonly<Record<string, ActionRow>>;

type Rows = typeof ACTION_ROWS;
export type ActionType = keyof Rows;
export type ActionOptions<T extends ActionType> = Rows[T]["options"];
export type ActionAlias<T extends ActionType> = Rows[T] extends { alias: infer Alias extends string }
  ? Alias
  : never;

export const ACTION_TYPES = Object.keys(ACTION_ROWS) as [ActionType, ...ActionType[]];

/** The row of an action type, typed as `ActionRow` instead of the table's narrower literal type. */
export const actionRow = (type: ActionType): ActionRow => ACTION_ROWS[type];

/** Maps each accepted spelling to its type. A type's own name comes before its alias. */
export const ACTION_SPELLINGS: ReadonlyMap<string, ActionType> = new Map(
  ACTION_TYPES.flatMap((type) => {
    const { alias } = actionRow(type);
    return alias === undefined
      ? [[type, type]]
      : [
          [type, type],
          [alias, type],
        ];
  }) as [string, ActionType][],
);
