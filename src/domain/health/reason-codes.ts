import type { ProviderId } from "../vocabulary/decision-request.js";
import type { HealthState } from "../vocabulary/vocabulary.js";
import { scorePenalties, type HealthMeasures, type ScoreTermName } from "./score.js";
import { STATE_BANDS } from "./state-machine.js";

/** CODE-1: the suffix of the provider health code for each score term. */
const TERM_SUFFIX = {
  timeout: "TIMEOUT_RATE_ELEVATED",
  error_5xx: "ERROR_5XX_RATE_ELEVATED",
  throttle_429: "THROTTLE_429_RATE_ELEVATED",
  approval: "APPROVAL_RATE_BELOW_BASELINE",
  latency: "LATENCY_ELEVATED",
  webhook_lag: "WEBHOOK_LAG_ELEVATED",
} as const satisfies Record<ScoreTermName, string>;
const TERMS = Object.keys(TERM_SUFFIX) as ScoreTermName[];

/** A term is named if it costs at least this many points. */
const NAMED_POINTS_MIN = 5;
const HEALTHY_POINTS_MAX = 100 - STATE_BANDS[0].scoreMin;

/**
 * The first code of every snapshot in a state. ELIG-2 and ELIG-3 fix the codes of the states that exclude a provider.
 */
const STATE_CODE = {
  healthy: (prefix) => `${prefix}_HEALTHY_FOR_SEGMENT`,
  watch: null,
  degraded: null,
  critical: () => "HEALTH_CRITICAL",
  unavailable: () => "CIRCUIT_OPEN",
  unknown: (prefix) => `${prefix}_HEALTH_UNKNOWN`,
} as const satisfies Record<HealthState, ((prefix: string) => string) | null>;

/** Removes the recovery code, for a state that was not set by measurements alone. Such a state is not recovering. */
export function withoutRecovery(prefix: string, codes: readonly string[]): string[] {
  return codes.filter((code) => code !== `${prefix}_RECOVERING`);
}

/** CODE-4: the code of a state that a person has set. `prefix` is the upper-case provider. */
export function pinnedCode(prefix: string): string {
  return `${prefix}_PINNED`;
}

/** Removes the healthy and the recovery code, for a state that a person set. No measurement found that state. */
export function withoutOwnMerit(prefix: string, codes: readonly string[]): string[] {
  return withoutRecovery(prefix, codes).filter((code) => code !== STATE_CODE.healthy(prefix));
}

/**
 * Returns the reasons for a segment's state in UPPER_SNAKE: the state's own code, and then each score term that costs
 * 5 points or more. If there is neither, the costliest term is named. If the score is already healthy, the code is
 * `<PROVIDER>_RECOVERING` instead.
 */
export function snapshotReasonCodes(
  provider: ProviderId,
  state: HealthState,
  measures: HealthMeasures,
): string[] {
  const prefix = provider.toUpperCase();
  const codes: string[] = [];
  const stateCode = STATE_CODE[state];
  if (stateCode !== null) codes.push(stateCode(prefix));
  if (state === "unknown") return codes;

  const penalties = scorePenalties(measures);
  const elevated = TERMS.filter((term) => penalties[term] >= NAMED_POINTS_MIN);
  for (const term of elevated) codes.push(`${prefix}_${TERM_SUFFIX[term]}`);
  if (codes.length > 0) return codes;

  let largest: ScoreTermName = "timeout";
  let points = 0;
  for (const term of TERMS) {
    points += penalties[term];
    if (penalties[term] > penalties[largest]) largest = term;
  }
  return [points > HEALTHY_POINTS_MAX ? `${prefix}_${TERM_SUFFIX[largest]}` : `${prefix}_RECOVERING`];
}
