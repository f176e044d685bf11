import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import type { Policy } from "../../../src/domain/policy/policy.js";
import { decisionBody, send, type RunningService } from "../../support/service/service.js";
import { frozenTestService } from "../../support/service/shared-service.js";
import { freezeHealth } from "../../support/service/frozen-health.js";
import { createKey, createWorkspace, publish, type RuleSpec } from "../../support/people/tenants.js";

/** One published policy and one request. Each row has its own merchant. */
interface Row {
  what: string;
  rules?: readonly RuleSpec[];
  defaultProvider?: string;
  transaction?: Record<string, unknown>;
  request?: Record<string, unknown>;
  action: string;
  route: readonly [primary: string, fallback: string | null] | null;
  /** The codes must appear in this order, possibly among others. */
  codes?: readonly string[];
  /** Default: every rule of the policy. */
  matched?: readonly string[];
}

const [P1, P2, P3, P5] = ["provider_1", "provider_2", "provider_3", "provider_5"] as const;
/**
 * The health of each currency's segments (see `before`). In USD all are healthy, and provider_1 comes before
 * provider_2.
 */
const P1_DEGRADED = { currency: "EUR" };
const P1_CRITICAL = { currency: "GBP" };
const P1_UNAVAILABLE = { currency: "KES" };
const P1_UNKNOWN = { currency: "INR" };
const P1_WATCH = { currency: "BRL" };
const ALL_UNAVAILABLE = { currency: "NGN" };

const timedOut = (provider: string) => ({ previous_attempt: { provider, outcome: "timeout" } });
const declined = (provider: string, code?: string) => ({
  previous_attempt: {
    provider,
    outcome: "declined",
    ...(code === undefined ? {} : { provider_reason_code: code }),
  },
});

const HOLD: RuleSpec = { name: "hold", then: { type: "hold" } };
const STEP_UP: RuleSpec = { name: "step_up", then: { type: "step_up" } };
const BLOCK: RuleSpec = { name: "block", then: { type: "block" } };
const RETRY: RuleSpec = { name: "retry", then: { type: "retry_on_timeout", same_provider: true } };
const NO_RETRY: RuleSpec = {
  name: "no_retry",
  then: { type: "no_retry", reason_codes: ["stolen_card", "05"] },
};
const exclude = (...providers: string[]): RuleSpec => ({
  name: "exclude",
  then: { type: "exclude_provider", providers },
});

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  route: [
    {
      what: "ACT-17, RES-11, SVC-12, SVC-13: the best provider by health, and the next as fallback",
      action: "route",
      route: [P1, P2],
      codes: ["RISK_ACCEPTABLE"],
    },
    {
      what: "only the primary if one provider is offered",
      request: { available_providers: [P2] },
      action: "route",
      route: [P2, null],
    },
    {
      what: "ELIG-3: skips ineligible providers",
      transaction: P1_CRITICAL,
      request: { available_providers: [P1, P2, P3] },
      action: "route",
      route: [P2, P3],
      codes: ["HEALTH_CRITICAL"],
    },
    {
      what: "ELIG-2: skips an open circuit",
      transaction: P1_UNAVAILABLE,
      action: "route",
      route: [P2, null],
      codes: ["CIRCUIT_OPEN"],
    },
    {
      what: "ELIG-6: an unknown state is eligible and counts as 70",
      transaction: P1_UNKNOWN,
      action: "route",
      route: [P2, P1],
    },
    {
      what: "best of what policy leaves where none is eligible and there is no default",
      transaction: ALL_UNAVAILABLE,
      action: "route",
      route: [P1, null],
      codes: ["NO_HEALTHY_PROVIDER_AVAILABLE"],
    },
    {
      what: "ELIG-1: an exclusion",
      rules: [exclude(P1)],
      action: "route",
      route: [P2, null],
      codes: ["POLICY_EXCLUDED_PROVIDER"],
    },
    {
      what: "a restriction",
      rules: [{ name: "only", then: { type: "restrict_providers", providers: [P2] } }],
      action: "route",
      route: [P2, null],
      codes: ["POLICY_EXCLUDED_PROVIDER"],
    },
    {
      what: "a strict preference",
      rules: [
        { name: "prefer", then: { type: "prefer_provider", providers: [P2], strict: true, boost: 15 } },
      ],
      action: "route",
      route: [P2, P1],
      codes: ["POLICY_PREFERRED_PROVIDER"],
    },
    {
      what: "a boost that is enough",
      rules: [
        { name: "prefer", then: { type: "prefer_provider", providers: [P2], strict: false, boost: 3 } },
      ],
      action: "route",
      route: [P2, P1],
      codes: ["POLICY_PREFERRED_PROVIDER"],
    },
    {
      what: "a boost that is not",
      rules: [
        { name: "prefer", then: { type: "prefer_provider", providers: [P2], strict: false, boost: 2 } },
      ],
      action: "route",
      route: [P1, P2],
    },
    {
      what: "ELIG-4: a minimum health",
      rules: [{ name: "minimum", then: { type: "require_min_health", min_score: 91, providers: [P1, P2] } }],
      request: { available_providers: [P2, P1] },
      action: "route",
      route: [P1, null],
      codes: ["HEALTH_BELOW_POLICY_MINIMUM"],
    },
    {
      what: "a traffic split",
      rules: [{ name: "split", then: { type: "split_traffic", weights: { [P3]: 100 } } }],
      request: { available_providers: [P1, P2, P3] },
      action: "route",
      route: [P3, P1],
    },
  ],
  use_default_route: [
    {
      what: "ACT-9: every offered provider is unavailable",
      defaultProvider: P5,
      transaction: ALL_UNAVAILABLE,
      action: "use_default_route",
      route: [P5, null],
      codes: ["DEFAULT_ROUTE_APPLIED", "CIRCUIT_OPEN"],
    },
    {
      what: "every offered provider is excluded",
      rules: [exclude(P1, P2)],
      defaultProvider: P5,
      action: "use_default_route",
      route: [P5, null],
      codes: ["DEFAULT_ROUTE_APPLIED", "POLICY_EXCLUDED_PROVIDER"],
    },
    {
      what: "every offered provider is below the minimum health",
      rules: [{ name: "minimum", then: { type: "require_min_health", min_score: 96 } }],
      defaultProvider: P1,
      action: "use_default_route",
      route: [P1, null],
      codes: ["DEFAULT_ROUTE_APPLIED", "HEALTH_BELOW_POLICY_MINIMUM"],
    },
    {
      what: "not while a provider is eligible",
      defaultProvider: P5,
      transaction: P1_UNAVAILABLE,
      action: "route",
      route: [P2, null],
    },
  ],
  step_up: [
    {
      what: "ACT-6: a matched step_up rule",
      rules: [STEP_UP],
      action: "step_up",
      route: [P1, P2],
      codes: ["STEP_UP_REQUIRED_BY_POLICY"],
    },
    {
      what: "with the default route if no provider is eligible",
      rules: [STEP_UP],
      defaultProvider: P5,
      transaction: ALL_UNAVAILABLE,
      action: "step_up",
      route: [P5, null],
      codes: ["STEP_UP_REQUIRED_BY_POLICY", "DEFAULT_ROUTE_APPLIED"],
    },
  ],
  hold: [
    {
      what: "ACT-5, ACT-19: a matched hold rule",
      rules: [HOLD],
      action: "hold",
      route: [P1, P2],
      codes: ["HOLD_REQUIRED_BY_POLICY"],
    },
    {
      what: "ACT-5: hold wins when hold and step_up both match",
      rules: [STEP_UP, HOLD],
      action: "hold",
      route: [P1, P2],
    },
    {
      what: "its own reason code",
      rules: [{ name: "hold", then: { type: "hold", reason_code: "LARGE_ORDER" } }],
      action: "hold",
      route: [P1, P2],
      codes: ["HOLD_REQUIRED_BY_POLICY", "LARGE_ORDER"],
    },
    {
      what: "block where policy excluded all and there is no default",
      rules: [HOLD, exclude(P1, P2)],
      action: "block",
      route: null,
      codes: ["POLICY_EXCLUDED_PROVIDER", "NO_ELIGIBLE_PROVIDER"],
    },
  ],
  retry: [
    {
      what: "ACT-15: retry_on_timeout and a timeout, on the same provider",
      rules: [RETRY],
      request: timedOut(P2),
      action: "retry",
      route: [P2, P1],
      codes: ["RETRY_ALLOWED_BY_POLICY"],
    },
    {
      what: "same_provider false: the best other",
      rules: [{ name: "retry", then: { type: "retry_on_timeout", same_provider: false } }],
      request: timedOut(P1),
      action: "retry",
      route: [P2, P1],
    },
    { what: "not after a decline", rules: [RETRY], request: declined(P2), action: "route", route: [P1, P2] },
    { what: "not without a previous attempt", rules: [RETRY], action: "route", route: [P1, P2] },
    { what: "ACT-15: not without the rule", request: timedOut(P2), action: "route", route: [P1, P2] },
  ],
  failover: [
    {
      what: "ACT-13: a timeout at a degraded provider",
      transaction: P1_DEGRADED,
      request: timedOut(P1),
      action: "failover",
      route: [P2, P1],
      codes: ["FAILOVER_PREVIOUS_PROVIDER_UNHEALTHY"],
    },
    {
      what: "a timeout at a critical one",
      transaction: P1_CRITICAL,
      request: timedOut(P1),
      action: "failover",
      route: [P2, null],
    },
    {
      what: "a timeout at an unavailable provider that is not offered again",
      transaction: P1_UNAVAILABLE,
      request: { ...timedOut(P1), available_providers: [P3, P2] },
      action: "failover",
      route: [P2, P3],
    },
    {
      what: "failover before retry",
      rules: [RETRY],
      transaction: P1_DEGRADED,
      request: timedOut(P1),
      action: "failover",
      route: [P2, P1],
    },
    {
      what: "not at a provider in state watch",
      transaction: P1_WATCH,
      request: timedOut(P1),
      action: "route",
      route: [P2, P1],
    },
    {
      what: "not at a provider in state unknown",
      transaction: P1_UNKNOWN,
      request: timedOut(P1),
      action: "route",
      route: [P2, P1],
    },
    {
      what: "not after a decline",
      transaction: P1_DEGRADED,
      request: declined(P1),
      action: "route",
      route: [P2, P1],
    },
    {
      what: "not if no other provider is eligible",
      transaction: P1_DEGRADED,
      request: { ...timedOut(P1), available_providers: [P1] },
      action: "route",
      route: [P1, null],
      codes: ["PREVIOUS_ATTEMPT_FAILED_HERE"],
    },
  ],
  block: [
    {
      what: "ACT-2: a matched block rule",
      rules: [BLOCK],
      action: "block",
      route: null,
      codes: ["BLOCKED_BY_POLICY"],
    },
    { what: "block before hold and step_up", rules: [STEP_UP, HOLD, BLOCK], action: "block", route: null },
    {
      what: "ACT-3, ACT-19: a risk score above the threshold of 90",
      transaction: { risk_score: 91 },
      action: "block",
      route: null,
      codes: ["RISK_SCORE_ABOVE_BLOCK_THRESHOLD"],
    },
    {
      what: "ACT-3: not a risk score of 90",
      transaction: { risk_score: 90 },
      action: "route",
      route: [P1, P2],
    },
    {
      what: "ACT-4: retry suppression",
      rules: [NO_RETRY],
      request: declined(P1, "stolen_card"),
      action: "block",
      route: null,
      codes: ["RETRY_SUPPRESSED_BY_POLICY"],
    },
    {
      what: "retry suppression before retry",
      rules: [RETRY, NO_RETRY],
      request: { previous_attempt: { provider: P1, outcome: "timeout", provider_reason_code: "05" } },
      action: "block",
      route: null,
    },
    {
      what: "not for an unlisted code",
      rules: [NO_RETRY],
      request: declined(P1, "5"),
      action: "route",
      route: [P2, P1],
    },
    {
      what: "policy excluded all, no default",
      rules: [exclude(P1, P2)],
      action: "block",
      route: null,
      codes: ["POLICY_EXCLUDED_PROVIDER", "NO_ELIGIBLE_PROVIDER"],
    },
    {
      what: "ACT-19: not for risk_signals alone, however bad",
      request: {
        risk_signals: {
          velocity_count_10m: 1000,
          velocity_count_1h: 1000,
          previous_decline_count: 1000,
          order_age_seconds: 0,
          device_risk_band: "high",
          ip_country_match: false,
          merchant_supplied_risk_score: 100,
        },
      },
      action: "route",
      route: [P1, P2],
      codes: ["RISK_HIGH_BLOCK_REVIEW", "MERCHANT_SUPPLIED_ELEVATED_RISK"],
    },
  ],
  matched_rules: [
    {
      what: "RES-9: lower priority first, then rule order; disabled rules count as absent",
      rules: [
        { name: "third", priority: 5, then: { type: "no_retry", reason_codes: ["x"] } },
        { name: "first", priority: 1, then: { type: "no_retry", reason_codes: ["x"] } },
        { name: "second", priority: 1, then: { type: "no_retry", reason_codes: ["x"] } },
        { name: "off", priority: 0, enabled: false, then: { type: "block" } },
      ],
      action: "route",
      route: [P1, P2],
      matched: ["first", "second", "third"],
    },
    {
      what: "COND-4, COND-5, COND-6, REQ-9: the specification's conditions",
      rules: [
        { ...STEP_UP, name: "amount_gte", when: { amount_gte: 129_900, currency_in: ["USD"] } },
        { ...STEP_UP, name: "amount_gte + 1", when: { amount_gte: 129_901 } },
        { ...STEP_UP, name: "customer_type_in", when: { customer_type_in: ["guest", "new"] } },
        { ...STEP_UP, name: "another customer_type_in", when: { customer_type_in: ["returning"] } },
        { ...STEP_UP, name: "risk_score_gte", when: { risk_score_gte: 60 } },
        { ...STEP_UP, name: "risk_score_gte + 1", when: { risk_score_gte: 61 } },
        { ...STEP_UP, name: "an absent field", when: { card_network_not_in: ["visa"] } },
        { ...STEP_UP, name: "a default filled in", when: { transaction_type_in: ["authorization"] } },
        { ...STEP_UP, name: "none_of", when: { none_of: [{ currency_in: ["EUR"] }, { mode_in: ["live"] }] } },
      ],
      transaction: { customer_type: "guest", risk_score: 60 },
      action: "step_up",
      route: [P1, P2],
      matched: ["amount_gte", "customer_type_in", "risk_score_gte", "a default filled in", "none_of"],
    },
  ],
};

const rows = Object.values(ROWS).flat();
const merchantOf = (row: Row): string => `merchant_${rows.indexOf(row)}`;

const PUBLISHED_AT_ONCE = 8;

let service: RunningService;
let key: string;
const policies = new Map<Row, Policy>();
before(async () => {
  service = await frozenTestService();
  const workspaceId = await createWorkspace(service, { merchants: rows.map(merchantOf) });
  key = await createKey(service.pool, workspaceId);
  // Fewer at a time than the pool has connections, because waiting for a connection fails after 1.5 s.
  for (let at = 0; at < rows.length; at += PUBLISHED_AT_ONCE) {
    await Promise.all(
      rows.slice(at, at + PUBLISHED_AT_ONCE).map(async (row) => {
        const { rules = [], defaultProvider } = row;
        const options = { workspaceId, merchantId: merchantOf(row), key, rules };
        policies.set(
          row,
          await publish(service, defaultProvider === undefined ? options : { ...options, defaultProvider }),
        );
      }),
    );
  }
});
// The health is frozen before each test, because the prober ticks once a minute.
beforeEach(() =>
  freezeHealth(service, {
    "provider_1:EUR": { score: 60, state: "degraded" },
    "provider_1:GBP": { score: 35, state: "critical" },
    "provider_1:KES": { score: 0, state: "unavailable" },
    "provider_1:INR": { score: 99, state: "unknown" },
    "provider_1:BRL": { score: 75, state: "watch" },
    "provider_1:NGN": { score: 20, state: "unavailable" },
    "provider_2:NGN": { score: 10, state: "unavailable" },
  }),
);

async function decide(row: Row): Promise<Record<string, unknown>> {
  const plain = decisionBody();
  const transaction = { ...(plain["transaction"] as object), ...row.transaction };
  const body = { ...plain, merchant_id: merchantOf(row), transaction, ...row.request };
  const { status, json, text } = await send(service, "POST", "/v1/decision", { body, key });
  assert.equal(status, 200, text);
  return json;
}

for (const [instruction, group] of Object.entries(ROWS)) {
  describe(`RES-4, RES-9, RULE-1, RULE-4: Instruction behaviours: ${instruction}`, () => {
    for (const row of group) {
      it(row.what, async () => {
        const decision = await decide(row);
        const [primary, fallback] = row.route ?? [];
        assert.equal(decision["action"], row.action);
        const route = row.route === null ? null : { primary_provider: primary, fallback_provider: fallback };
        assert.deepEqual(decision["route"], route);
        const policy = policies.get(row);
        assert.deepEqual(decision["policy"], {
          policy_id: policy?.policy_id,
          policy_version: policy?.version,
          matched_rules: row.matched ?? (row.rules ?? []).map(({ name }) => name),
        });
        const codes = decision["reason_codes"] as string[];
        assert.deepEqual(
          codes.filter((code) => row.codes?.includes(code)),
          row.codes ?? [],
        );
        assert.equal(new Set(codes).size, codes.length);
        for (const code of codes) assert.match(code, /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/);
        assert.equal((decision["model"] as { model_version: string }).model_version, "deterministic-v1");
        assert.deepEqual([decision["cost"], decision["economics"]], [null, null]);
      });
    }
  });
}
