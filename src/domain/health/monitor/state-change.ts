import type { ProviderId } from "../../vocabulary/decision-request.js";
import type { HealthState, Mode } from "../../vocabulary/vocabulary.js";
import { parseSegmentKey } from "../snapshot.js";
import type { LiveSegment } from "./live-segment.js";

/** The state that a segment shows has changed since the tick before. */
export interface StateChange {
  segment_key: string;
  provider: ProviderId;
  from: HealthState;
  to: HealthState;
  reason_codes: string[];
}

/** A change in the view of one workspace and mode. Without reason codes it means that the view has ended. */
export interface OverlayStateChange extends StateChange {
  workspaceId: string;
  mode: Mode;
}

/** The end of a view has no reason codes. */
export function overlayChange(
  segment: LiveSegment,
  from: HealthState,
  to: HealthState,
  reasonCodes: string[],
): OverlayStateChange {
  const { provider } = parseSegmentKey(segment.key);
  return { ...segment.owner, segment_key: segment.key, provider, from, to, reason_codes: reasonCodes };
}
