import {
  admits,
  hasNoValue,
  type Constraint,
} from "../../../../../src/features/policies/linter/constraint.js";
import type { Term } from "../../../../../src/features/policies/linter/terms.js";
import type { PolicyFacts } from "../../../../../src/domain/policy/policy-facts.js";
import { sampleBucketOf } from "../../../../../src/domain/policy/stable-hash.js";
import { riskBandOf } from "../../../../../src/domain/risk/assess-risk.js";
import type { HealthState } from "../../../../../src/domain/vocabulary/vocabulary.js";
import { facts, states } from "../../../domain/policy/facts.js";

const HOUR_MS = 3_600_000;
/** A Monday. */
const WEEK_START_MS = Date.UTC(2026, 10, 16);

const camel = (field: string) => field.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/**
 * A value that the constraint permits, or `undefined` for absence. For a field with endless values it is one that is
 * not listed.
 */
function valueOf(constraint: Constraint): unknown {
  if (constraint.kind === "hits" || hasNoValue(constraint)) return undefined;
  // A risk score is absent where the constraint permits that, because an absent score bounds nothing else.
  if (constraint.kind === "range") return constraint.absent ? undefined : constraint.lowest;
  const candidates = constraint.domain.values ?? [...constraint.listed, "ZZZ"];
  const value = candidates.find((candidate) => admits(constraint, candidate));
  return value === "true" || value === "false" ? value === "true" : value;
}

const within = (constraint: Constraint | undefined, value: number): boolean =>
  constraint?.kind !== "range" || (constraint.lowest <= value && value <= constraint.highest);

/** Facts of a request that satisfies every constraint of a term. Throws if no request does. */
export function witnessOf(term: Term, ruleId: string, providers: readonly string[]): PolicyFacts {
  const found: Record<string, unknown> = {};
  const health: Record<string, HealthState> = {};
  for (const [subject, constraint] of term) {
    const [field = "", provider] = subject.split(" ");
    if (provider !== undefined) health[provider] = valueOf(constraint) as HealthState;
    else found[camel(field)] = valueOf(constraint);
  }
  for (const special of [
    "sampleBps",
    "hourUtc",
    "weekdayUtc",
    "offeredProvider",
    "offeredProviderCount",
    "orderIdPrefix",
  ]) {
    delete found[special];
  }
  return facts({
    ...(found as Partial<PolicyFacts>),
    ...attempt(term, found),
    ...risk(term, found),
    ...order(term, ruleId),
    nowMs: moment(term),
    offeredProviders: offer(term, providers),
    health: states(health),
  });
}

/** Adds an attempt if the term asks for any part of it. An attempt has a provider and an outcome. */
function attempt(term: Term, found: Record<string, unknown>): Partial<PolicyFacts> {
  const about = ["previousProvider", "previousOutcome", "previousReasonCode"];
  const has = term.get("has_previous_attempt");
  const asked = ["previous_provider", "previous_outcome", "previous_reason_code"].some((subject) => {
    const constraint = term.get(subject);
    return constraint?.kind === "set" && !constraint.absent;
  });
  const mustHave = asked || (has?.kind === "set" && !admits(has, "false"));
  if (!mustHave) {
    return { hasPreviousAttempt: false, ...Object.fromEntries(about.map((field) => [field, undefined])) };
  }
  return {
    hasPreviousAttempt: true,
    previousProvider: (found["previousProvider"] ?? "provider_1") as string,
    previousOutcome: (found["previousOutcome"] ?? "timeout") as NonNullable<PolicyFacts["previousOutcome"]>,
  };
}

function risk(term: Term, found: Record<string, unknown>): Partial<PolicyFacts> {
  const band = term.get("risk_band");
  const least = Math.max(
    0,
    ...[found["riskScore"], found["merchantSuppliedRiskScore"]].map((v) => Number(v ?? 0)),
  );
  for (let score = least; score <= 100; score++) {
    if (!within(term.get("computed_risk_score"), score)) continue;
    if (band?.kind !== "set" || admits(band, riskBandOf(score))) {
      return { computedRiskScore: score, riskBand: riskBandOf(score) };
    }
  }
  throw new Error("no risk score satisfies the term");
}

function moment(term: Term): number {
  for (let hour = 0; hour < 7 * 24; hour++) {
    const fits =
      within(term.get("hour_utc"), hour % 24) && within(term.get("weekday_utc"), Math.floor(hour / 24) + 1);
    if (fits) return WEEK_START_MS + hour * HOUR_MS;
  }
  throw new Error("no moment satisfies the term");
}

function order(term: Term, ruleId: string): Partial<PolicyFacts> {
  const sample = term.get("sample_bps");
  const prefixes = term.get("order_id_prefix");
  const { hits, forbidden } =
    prefixes?.kind === "hits" ? prefixes : { hits: [], forbidden: new Set<string>() };
  const bucketOf = sampleBucketOf(ruleId);
  for (let i = 0; i < 200_000; i++) {
    for (const begin of ["order_", "x_", ...hits.flat()]) {
      const orderId = `${begin}${i}`;
      const isBegunBy = (prefix: string): boolean => orderId.startsWith(prefix);
      const begins = hits.every((listed) => listed.some(isBegunBy)) && !Array.from(forbidden).some(isBegunBy);
      if (begins && within(sample, bucketOf(orderId))) return { orderId };
    }
  }
  throw new Error("no order satisfies the term");
}

function offer(term: Term, providers: readonly string[]): string[] {
  const offered = term.get("offered_provider");
  for (let mask = 1; mask < 1 << providers.length; mask++) {
    const subset = providers.filter((_, bit) => (mask & (1 << bit)) !== 0);
    if (!within(term.get("offered_provider_count"), subset.length)) continue;
    if (offered?.kind !== "hits") return subset;
    const fits =
      subset.every((provider) => !offered.forbidden.has(provider)) &&
      offered.hits.every((listed) => listed.some((provider) => subset.includes(provider)));
    if (fits) return subset;
  }
  throw new Error("no offer satisfies the term");
}
