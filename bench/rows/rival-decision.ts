import { randomUUID } from "node:crypto";
import type { Rule } from "../../src/domain/policy/policy.js";
import type { DecisionRequest } from "../../src/domain/vocabulary/decision-request.js";
import { BENCH_RULES } from "./rival-policy.js";

const ACTION_ORDER = ["block", "hold", "step_up"] as const;

/** Constants in place of cached health. A rival would read its health from memory too. */
const HEALTH = { score: 96.4, state: "healthy", confidence: 85.71, source: "probe" } as const;

/**
 * The reply of rows (d) and (e), made from the rules that matched. It has the fields and the size of the service's own
 * reply, but less work: no risk scoring, no states, no pricing. That favours the rivals.
 */
export function rivalDecision(request: DecisionRequest, matched: readonly number[], receivedMs: number) {
  const rules = matched.map((position) => BENCH_RULES[position] as Rule);
  const kinds = rules.map((rule) => rule.then);
  const excluded = new Set(kinds.flatMap((then) => (then.type === "exclude_provider" ? then.providers : [])));
  const preferred = kinds.flatMap((then) => (then.type === "prefer_provider" ? then.providers : []));
  const ranked = request.available_providers
    .filter((provider) => !excluded.has(provider))
    .toSorted((a, b) => Number(preferred.includes(b)) - Number(preferred.includes(a)));
  const previous = request.previous_attempt;
  const suppressed = kinds.some(
    (then) => then.type === "no_retry" && then.reason_codes.includes(previous?.provider_reason_code ?? ""),
  );
  const retried = kinds.some((then) => then.type === "retry_on_timeout");
  const ruled = ACTION_ORDER.find((action) => kinds.some((then) => then.type === action));
  const action = suppressed || ranked.length === 0 ? "block" : (ruled ?? (retried ? "retry" : "route"));
  const primary = retried && previous && ranked.includes(previous.provider) ? previous.provider : ranked[0];
  const riskScore = request.transaction.risk_score ?? 10;
  return {
    decision_id: `dec_${randomUUID()}`,
    merchant_id: request.merchant_id,
    mode: "test",
    decision_mode: request.decision_mode ?? "enforce",
    action,
    route:
      action === "block" || primary === undefined
        ? null
        : {
            primary_provider: primary,
            fallback_provider: ranked.find((provider) => provider !== primary) ?? null,
          },
    risk: { score: riskScore, band: "low", recommended_action: "route", reason_codes: ["RISK_ACCEPTABLE"] },
    provider_health: Object.fromEntries(request.available_providers.map((provider) => [provider, HEALTH])),
    policy: { policy_id: "pol_bench", policy_version: "v1", matched_rules: rules.map((rule) => rule.name) },
    model: {
      model_version: "deterministic-v1",
      route_scores: Object.fromEntries(request.available_providers.map((provider) => [provider, 91.25])),
    },
    cost: null,
    economics: null,
    reason_codes: ["RISK_ACCEPTABLE", "HEALTHY_FOR_SEGMENT", "HIGHER_EXPECTED_APPROVAL_RATE"],
    decision_latency_ms: Math.round((performance.now() - receivedMs) * 1000) / 1000,
    ttl_ms: 3000,
  };
}

export type RivalDecision = ReturnType<typeof rivalDecision>;

const nullableString = { type: ["string", "null"] } as const;
const strings = { type: "array", items: { type: "string" } } as const;

/** The schema for Fastify's compiled serializer, as its documentation advises. */
export const RIVAL_DECISION_SCHEMA = {
  type: "object",
  properties: {
    decision_id: { type: "string" },
    merchant_id: { type: "string" },
    mode: { type: "string" },
    decision_mode: { type: "string" },
    action: { type: "string" },
    route: {
      type: "object",
      nullable: true,
      properties: { primary_provider: { type: "string" }, fallback_provider: nullableString },
    },
    risk: {
      type: "object",
      properties: {
        score: { type: "integer" },
        band: { type: "string" },
        recommended_action: { type: "string" },
        reason_codes: strings,
      },
    },
    provider_health: {
      type: "object",
      additionalProperties: {
        type: "object",
        properties: {
          score: { type: "number" },
          state: { type: "string" },
          confidence: { type: "number" },
          source: { type: "string" },
        },
      },
    },
    policy: {
      type: "object",
      properties: { policy_id: nullableString, policy_version: nullableString, matched_rules: strings },
    },
    model: {
      type: "object",
      properties: {
        model_version: { type: "string" },
        route_scores: { type: "object", additionalProperties: { type: "number" } },
      },
    },
    cost: { type: "null" },
    economics: { type: "null" },
    reason_codes: strings,
    decision_latency_ms: { type: "number" },
    ttl_ms: { type: "integer" },
  },
} as const;
