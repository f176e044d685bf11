import * as fc from "fast-check";
import type { DecideInput, DecisionContext } from "../../../src/domain/decision/decision.js";
import { flatView, type HealthSnapshot, type HealthView } from "../../../src/domain/health/snapshot.js";
import { DecisionPolicy } from "../../../src/domain/decision/decision-policy.js";
import type { ActionOption } from "../../../src/domain/policy/action-row.js";
import { ACTION_TYPES, actionRow, type ActionType } from "../../../src/domain/policy/action-rows.js";
import { CONDITION_FIELDS } from "../../../src/domain/policy/condition-fields.js";
import {
  ruleBounds,
  CONDITION_OPERATORS,
  conditionFieldsOf,
  type FieldOf,
} from "../../../src/domain/policy/condition-vocabulary.js";
import type { Conditions, Policy, Rule, RuleAction } from "../../../src/domain/policy/policy.js";
import { PRICING_SOURCES, type PricingView, type Quote } from "../../../src/domain/pricing/pricing-view.js";
import type {
  DecisionRequest,
  PreviousAttempt,
  RiskSignals,
  Transaction,
} from "../../../src/domain/vocabulary/decision-request.js";
import {
  CARD_NETWORKS,
  CUSTOMER_TYPES,
  DECISION_MODES,
  HEALTH_SOURCES,
  HEALTH_STATES,
  MODES,
  PAYMENT_METHODS,
  PREVIOUS_OUTCOMES,
  REPORTED_RISK_BANDS,
  TRANSACTION_TYPES,
} from "../../../src/domain/vocabulary/vocabulary.js";

/** Generators of valid domain values. The service's validation accepts every one of them. */

export const PROVIDER_IDS = ["provider_1", "provider_2", "provider_3", "provider_4", "provider_5"] as const;
/** Each list is short, so that conditions and requests often match. */
const CURRENCIES = ["USD", "EUR", "NGN", "KES", "JPY"] as const;
const COUNTRIES = ["US", "DE", "NG", "KE", "BR"] as const;
const REASON_CODES = ["insufficient_funds", "do_not_honor", "05", "processor_timeout"] as const;
/** The reason codes that a generated policy may add to a decision. */
export const CUSTOM_CODES = ["LARGE_ORDER", "NEW_CUSTOMER_REVIEW", "RISK_ACCEPTABLE"] as const;

/**
 * Text that needs escaping somewhere: quotes, backslashes, line ends, other scripts, astral characters. It has no
 * U+0000.
 */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 4 }),
      fc.constantFrom(
        '"',
        "\\",
        "\n",
        "\r",
        "\t",
        "\u2028",
        "\u001f",
        "</script>",
        "é",
        "日本",
        "😀",
        "__proto__",
      ),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join("").replaceAll("\u0000", "").slice(0, 100).toWellFormed() || "x");

const optional = { requiredKeys: [] };
/** Builds plain JSON objects, without null prototypes and undefined members. */
const recordOptions = { noNullPrototype: true } as const;

export const providerId = fc.constantFrom(...PROVIDER_IDS);
const providerList = fc.uniqueArray(providerId, { minLength: 1, maxLength: PROVIDER_IDS.length });

const score = fc.integer({ min: 0, max: 100 });
const amount = fc.oneof(
  fc.integer({ min: 1, max: 200_000 }),
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
);
const count = fc.oneof(fc.integer({ min: 0, max: 25 }), fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }));

export const transaction: fc.Arbitrary<Transaction> = fc.record(
  {
    amount,
    currency: fc.constantFrom(...CURRENCIES),
    country: fc.constantFrom(...COUNTRIES),
    payment_method: fc.constantFrom(...PAYMENT_METHODS),
    card_network: fc.constantFrom(...CARD_NETWORKS),
    transaction_type: fc.constantFrom(...TRANSACTION_TYPES),
    customer_type: fc.constantFrom(...CUSTOMER_TYPES),
    risk_level: fc.constantFrom(...REPORTED_RISK_BANDS),
    risk_score: score,
  },
  { requiredKeys: ["amount", "currency", "country", "payment_method"], ...recordOptions },
);

export const riskSignals: fc.Arbitrary<RiskSignals> = fc.record(
  {
    velocity_count_10m: count,
    velocity_count_1h: count,
    velocity_amount_1h: count,
    previous_success_count: count,
    previous_decline_count: count,
    order_age_seconds: count,
    device_risk_band: fc.constantFrom(...REPORTED_RISK_BANDS),
    ip_country_match: fc.boolean(),
    merchant_supplied_risk_score: score,
  },
  { ...optional, ...recordOptions },
);

export const previousAttempt: fc.Arbitrary<PreviousAttempt> = fc.record(
  {
    provider: providerId,
    outcome: fc.constantFrom(...PREVIOUS_OUTCOMES),
    provider_reason_code: fc.constantFrom(...REASON_CODES),
  },
  { requiredKeys: ["provider", "outcome"], ...recordOptions },
);

export const decisionRequest: fc.Arbitrary<DecisionRequest> = fc.record(
  {
    merchant_id: fc.oneof(fc.constant("demo_merchant"), hostileText),
    order_id: fc.oneof(fc.stringMatching(/^order_[0-9]{1,8}$/), hostileText),
    transaction,
    available_providers: providerList,
    previous_attempt: previousAttempt,
    risk_signals: riskSignals,
    decision_mode: fc.constantFrom(...DECISION_MODES),
  },
  { requiredKeys: ["merchant_id", "order_id", "transaction", "available_providers"], ...recordOptions },
);

/** A bound for a rule. It is often near the values in requests. */
function boundOf(field: FieldOf<"number">): fc.Arbitrary<number> {
  const [min, max] = ruleBounds(field);
  if (max <= 100)
    return fc.integer({ min, max: field === "offered_provider_count" ? PROVIDER_IDS.length : max });
  return field === "amount" ? amount : count;
}

/** A few values of each field, so that conditions and requests often match. */
function valuesOf(field: FieldOf<"list" | "set">): readonly string[] {
  const { values } = CONDITION_FIELDS[field];
  if (typeof values !== "string") return values;
  return { currency: CURRENCIES, country: COUNTRIES, provider: PROVIDER_IDS, reason_code: REASON_CODES }[
    values
  ];
}

/** For each field that conditions compare: one condition on it. */
const fieldLeaves: ReadonlyMap<string, fc.Arbitrary<Conditions>> = new Map([
  ...conditionFieldsOf("number").map((field): [string, fc.Arbitrary<Conditions>] => [
    field,
    fc
      .tuple(fc.constantFrom(...CONDITION_OPERATORS.number), boundOf(field))
      .map(([operator, value]) => ({ [`${field}_${operator}`]: value })),
  ]),
  ...conditionFieldsOf("list", "set").map((field): [string, fc.Arbitrary<Conditions>] => [
    field,
    fc
      .tuple(fc.constantFrom(...CONDITION_OPERATORS.list), fc.subarray([...valuesOf(field)]))
      .map(([operator, listed]) => ({ [`${field}_${operator}`]: listed })),
  ]),
  ...conditionFieldsOf("prefix").map((field): [string, fc.Arbitrary<Conditions>] => [
    field,
    fc
      .subarray(["order_", "order_1", "order_2", "inv_"])
      .map((prefixes) => ({ [`${field}_prefix`]: prefixes })),
  ]),
  ...conditionFieldsOf("flag").map((field): [string, fc.Arbitrary<Conditions>] => [
    field,
    fc.boolean().map((wanted) => ({ [`${field}_is`]: wanted })),
  ]),
]);

const leaf: fc.Arbitrary<Conditions> = fc.oneof(
  ...fieldLeaves.values(),
  fc.integer({ min: 0, max: 10_000 }).map((bps) => ({ sample_bps_lt: bps })),
  fc
    .record({ provider: providerId, states: fc.subarray([...HEALTH_STATES]) }, recordOptions)
    .map((wanted) => ({ provider_health_state_in: wanted })),
);

/**
 * The `when` parts of up to a hundred rules. All of them ask about the same one to four fields, with up to three
 * conditions each.
 */
export const conditionsOnFewFields: fc.Arbitrary<Conditions[]> = fc
  .subarray([...fieldLeaves.keys()], { minLength: 1, maxLength: 4 })
  .chain((fields) =>
    fc.array(
      fc
        .array(fc.oneof(...fields.map((field) => fieldLeaves.get(field) as fc.Arbitrary<Conditions>)), {
          minLength: 1,
          maxLength: 3,
        })
        .map((parts): Conditions => Object.assign({}, ...parts)),
      { minLength: 1, maxLength: 100, size: "max" },
    ),
  );

/** At most three compared fields, and lists nested up to the three levels that the contract allows. */
export const conditions: fc.Arbitrary<Conditions> = nestedConditions(3);

function nestedConditions(levels: number): fc.Arbitrary<Conditions> {
  const merged = fc.array(leaf, { maxLength: 3 }).map((parts): Conditions => Object.assign({}, ...parts));
  if (levels === 0) return merged;
  const branches = fc.array(nestedConditions(levels - 1), { maxLength: 2 });
  return fc.oneof(
    { weight: 4, arbitrary: merged },
    {
      weight: 1,
      arbitrary: fc
        .tuple(merged, fc.constantFrom("any_of", "all_of", "none_of"), branches)
        .map(([flat, key, list]): Conditions => Object.assign({}, flat, { [key]: list })),
    },
  );
}

const percentages: fc.Arbitrary<Record<string, number>> = fc
  .tuple(providerList, fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 5, maxLength: 5 }))
  .map(([providers, cuts]) => {
    const edges = [0, ...cuts.slice(0, providers.length - 1).toSorted((a, b) => a - b), 100];
    return Object.fromEntries(
      providers.map((provider, i) => [provider, (edges[i + 1] as number) - (edges[i] as number)]),
    );
  });

function optionValue(option: ActionOption): fc.Arbitrary<unknown> {
  switch (option.kind) {
    case "providers":
      return providerList;
    case "reason_code":
      return fc.constantFrom(...CUSTOM_CODES);
    case "provider_reason_codes":
      return fc.subarray([...REASON_CODES], { minLength: 1 });
    case "weights":
      return percentages;
    case "flag":
      return fc.boolean();
    case "choice":
      return fc.constantFrom(...option.values);
    case "number": {
      const [min, max] = option.bounds;
      // Limits are often near a decision's costs.
      return fc.oneof(
        fc.integer({ min, max: Math.min(max, 500) }),
        fc.integer({ min, max: Math.min(max, 10_000) }),
      );
    }
  }
}

function actionOf(type: ActionType): fc.Arbitrary<RuleAction> {
  const { options, needsOneOf } = actionRow(type);
  const listed = Object.entries(options);
  const required = listed.flatMap(([name, { presence }]) => (presence === "optional" ? [] : [name]));
  return fc
    .record(
      {
        type: fc.constant(type),
        ...Object.fromEntries(listed.map(([name, option]) => [name, optionValue(option)])),
      },
      { requiredKeys: ["type", ...(required as never[])], ...recordOptions },
    )
    .filter((action) => needsOneOf === undefined || needsOneOf.some((name) => Object.hasOwn(action, name)))
    .map((action) => action as unknown as RuleAction);
}

/** Every action of a rule, in normal form. */
export const ruleAction: fc.Arbitrary<RuleAction> = fc.oneof(...ACTION_TYPES.map(actionOf));

/** A generated rule with the id `ruleId`. */
export function rule(ruleId: string): fc.Arbitrary<Rule> {
  return fc.record(
    {
      rule_id: fc.constant(ruleId),
      name: fc.oneof(fc.constant(`Rule ${ruleId}`), hostileText),
      priority: fc.integer({ min: 0, max: 5 }),
      enabled: fc.boolean(),
      when: conditions,
      then: ruleAction,
    },
    recordOptions,
  );
}

const policyFrame = fc.record(
  {
    policy_id: fc.constant("pol_01jd4wqk2m0000000000000000"),
    name: fc.constant("Generated"),
    status: fc.constant("published" as const),
    version: fc.constantFrom("v1", "v27"),
    default_provider: fc.option(providerId),
    updated_at: fc.constant("2026-11-20T12:00:00.000Z"),
  },
  recordOptions,
);

/** A stored policy in normal form, with up to ten rules of any kind. */
export const policy: fc.Arbitrary<Policy> = fc
  .tuple(
    policyFrame,
    fc.tuple(...Array.from({ length: 10 }, (_, i) => rule(`rule_${i}`))),
    fc.nat({ max: 10 }),
  )
  .map(([frame, rules, length]): Policy => Object.assign({}, frame, { rules: rules.slice(0, length) }));

const rate = fc.double({ min: 0, max: 1, noNaN: true });
const figure = fc.double({ min: 0, max: 100, noNaN: true });

/** A segment's snapshot. State, score and rates are independent, because an override may set them so. */
export function healthSnapshot(provider: string, segmentKey: string): fc.Arbitrary<HealthSnapshot> {
  const prefix = provider.toUpperCase();
  return fc.record(
    {
      provider: fc.constant(provider),
      segment_key: fc.constant(segmentKey),
      score: figure,
      state: fc.constantFrom(...HEALTH_STATES),
      confidence: figure,
      p95_latency_ms: fc.double({ min: 0, max: 10_000, noNaN: true }),
      timeout_rate: rate,
      error_5xx_rate: rate,
      throttle_429_rate: rate,
      approval_rate: rate,
      approval_rate_baseline: rate,
      webhook_lag_seconds: fc.nat({ max: 5000 }),
      sample_size: fc.nat({ max: 100_000 }),
      window_seconds: fc.constant(300),
      reason_codes: fc.subarray([
        `${prefix}_HEALTHY_FOR_SEGMENT`,
        `${prefix}_TIMEOUT_RATE_ELEVATED`,
        "CIRCUIT_OPEN",
      ]),
      updated_at: fc.constant("2026-11-20T12:00:00.000Z"),
      source: fc.constantFrom(...HEALTH_SOURCES),
    },
    recordOptions,
  );
}

/** A view with one snapshot for each provider. The method and currency do not matter. */
export const healthView: fc.Arbitrary<HealthView> = fc
  .tuple(...PROVIDER_IDS.map((provider) => healthSnapshot(provider, `${provider}:card:USD`)))
  .map((snapshots) => {
    const byProvider = new Map(snapshots.map((snapshot) => [snapshot.provider, snapshot]));
    return flatView("1", (provider) => byProvider.get(provider) as HealthSnapshot);
  });

const quote: fc.Arbitrary<Quote> = fc.record(
  {
    estimated_cost_minor: fc.nat({ max: 20_000 }),
    effective_bps: fc.double({ min: 0, max: 1000, noNaN: true }),
    pricing_source: fc.constantFrom(...PRICING_SOURCES),
    confidence_score: figure,
    reason_codes: fc.subarray(["MERCHANT_CONTRACT_PRICING_USED", "ESTIMATED_FALLBACK_PRICING_USED"]),
  },
  recordOptions,
);

/** A view with one quote for each provider. The transaction does not matter. */
export const pricingView: fc.Arbitrary<PricingView> = fc
  .tuple(fc.boolean(), fc.tuple(...PROVIDER_IDS.map(() => quote)))
  .map(([resolved, quotes]) => ({
    version: "1.0",
    resolved,
    quote: (provider: string) => quotes[PROVIDER_IDS.findIndex((id) => id === provider)] as Quote,
  }));

export const decisionContext: fc.Arbitrary<DecisionContext> = fc.record(
  {
    policy: fc.option(policy.map(DecisionPolicy.of)),
    health: healthView,
    riskBlockThreshold: fc.oneof(fc.constant(90), score),
    normalAmountMaxMinor: fc.option(amount),
    defaultDecisionMode: fc.constantFrom(...DECISION_MODES),
    pricing: fc.option(pricingView),
  },
  recordOptions,
);

export const decideInput: fc.Arbitrary<DecideInput> = fc.record(
  {
    request: decisionRequest,
    context: decisionContext,
    mode: fc.constantFrom(...MODES),
    decisionId: fc.constant("dec_01jd4wqk2m0000000000000000"),
    nowMs: fc.integer({ min: 0, max: 4_102_444_800_000 }),
  },
  recordOptions,
);
