import type { HealthState } from "../../vocabulary/vocabulary.js";
import type { HealthSnapshot } from "../snapshot.js";
import type { OverlayStateChange, StateChange } from "./state-change.js";
import type { OutcomeAlertChange } from "./outcome-alert.js";

/** The findings of one tick. */
export interface HealthTick {
  /** True for the first tick after a start. Alerts from before the start stay open. */
  restarted: boolean;
  /** One snapshot for each probed segment, ordered by provider, method and currency as configured. */
  snapshots: readonly HealthSnapshot[];
  /** The state changes in the probes' view, which all workspaces share. They open and close alerts. */
  changedStates: StateChange[];
  /** The changes in the views of single workspaces and modes. */
  overlayChanges: OverlayStateChange[];
  /** The alerts that outcomes open and close in the views of `overlayChanges`. */
  alerts: OutcomeAlertChange[];
}

/** The segments whose state has changed since the last tick, by segment key. */
export function changesSince(
  before: ReadonlyMap<string, HealthState>,
  snapshots: readonly HealthSnapshot[],
): StateChange[] {
  return snapshots.flatMap(({ segment_key, provider, state, reason_codes }) => {
    const from = before.get(segment_key) ?? "unknown";
    return from === state ? [] : [{ segment_key, provider, from, to: state, reason_codes }];
  });
}
