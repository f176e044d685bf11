import type { AlertSeverity, HealthState } from "../vocabulary/vocabulary.js";
import { isIncident } from "./reported-states.js";

/** What a state does to the alert of its segment. */
export type AlertEffect = AlertSeverity | "close" | "keep";

/**
 * A state opens an alert when routing leaves the provider for it: degraded is failed over from, critical and unavailable
 * are ruled out. Unknown is neither good nor bad news.
 */
const EFFECTS = {
  healthy: "close",
  watch: "close",
  degraded: "warning",
  critical: "critical",
  unavailable: "critical",
  unknown: "keep",
} as const satisfies Record<HealthState, AlertEffect>;

/**
 * ALRT-2. A view of a workspace's own that has too few outcomes to judge
 * by has nothing to warn of, and one that ended (no reason codes) leaves the word to the probes.
 */
export function alertEffect(
  state: HealthState,
  reasonCodes: readonly string[],
  isOwnView: boolean,
): AlertEffect {
  if (isOwnView && (state === "unknown" || reasonCodes.length === 0)) return "close";
  // ALRT-3: a reported incident that changes a state opens an alert, also where it only asks for watchfulness.
  if (state === "watch" && isIncident(reasonCodes)) return "warning";
  return EFFECTS[state];
}
