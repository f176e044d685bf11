import type { ProviderId } from "../vocabulary/decision-request.js";
import type { HealthState } from "../vocabulary/vocabulary.js";
import { scorePenalties, type HealthMeasures, type ScoreTermName } from "./score.js";
import { STATE_BANDS } from "./state-machine.js";

/** CODE-1, provider health; the siblings are named alike. */
const TERM_SUFFIX = {
  timeout: "TIMEOUT_RATE_ELEVATED",
  error_5xx: "ERROR_5XX_RATE_ELEVATED",
  throttle_429: "THROTTLE_429_RATE_ELEVATED",
  approval: "APPROVAL_RATE_BELOW_BASELINE",
  latency: "LATENCY_ELEVATED",
  webhook_lag: "WEBHOOK_LAG_ELEVATED",
} as const satisfies Record<ScoreTermName, string>;
const TERMS = Object.keys(TERM_SUFFIX) as ScoreTermName[];

/** A term is named from this many points on; under a state that is not healthy the largest is named in any case. */
const NAMED_POINTS_MIN = 5;
const HEALTHY_POINTS_MAX = 100 - STATE_BANDS[0].scoreMin;

/** A code that every snapshot of the state carries first; ELIG-2 and ELIG-3 name those of the states that are ruled out. */
const STATE_CODE = {
  healthy: (prefix) => `${prefix}_HEALTHY_FOR_SEGMENT`,
  watch: null,
  degraded: null,
  critical: () => "HEALTH_CRITICAL",
  unavailable: () => "CIRCUIT_OPEN",
  unknown: (prefix) => `${prefix}_HEALTH_UNKNOWN`,
} as const satisfies Record<HealthState, ((prefix: string) => string) | null>;

/** For a state that something else than its measurements holds: it is not on its way up. */
export function withoutRecovery(prefix: string, codes: readonly string[]): string[] {
  return codes.filter((code) => code !== `${prefix}_RECOVERING`);
}

/** CODE-4: of a state that somebody has set; `prefix` is the upper-cased provider. */
export function pinnedCode(prefix: string): string {
  return `${prefix}_PINNED`;
}

/** The same for a state that is set by hand: that it is healthy was found by nobody. */
export function withoutOwnMerit(prefix: string, codes: readonly string[]): string[] {
  return withoutRecovery(prefix, codes).filter((code) => code !== STATE_CODE.healthy(prefix));
}

/**
 * Why a segment is in its state, UPPER_SNAKE: the state's own code, then each score term that costs 5 points or more.
 * A worse state with nothing left against it is still working its way up: `<PROVIDER>_RECOVERING`.
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
