import type { AlertSeverity, HealthState } from "../../vocabulary/vocabulary.js";
import { isIncident } from "./reported-states.js";

/** The effect of a state on the alert of its segment. */
export type AlertEffect = AlertSeverity | "close" | "keep";

/**
 * A state opens an alert if routing avoids the provider because of it. Routing fails over from degraded providers, and
 * excludes critical and unavailable ones. The state unknown neither opens nor closes an alert.
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
 * ALRT-2: an alert of a workspace's own view closes if the view has too few outcomes (unknown), or has ended (no reason
 * codes). The workspace then sees the state of the probes again.
 */
export function alertEffect(
  state: HealthState,
  reasonCodes: readonly string[],
  isOwnView: boolean,
): AlertEffect {
  if (isOwnView && (state === "unknown" || reasonCodes.length === 0)) return "close";
  // ALRT-3: a reported incident that changes a state opens an alert, even if the new state is only watch.
  if (state === "watch" && isIncident(reasonCodes)) return "warning";
  return EFFECTS[state];
}
