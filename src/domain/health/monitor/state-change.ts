import type { ProviderId } from "../../vocabulary/decision-request.js";
import type { HealthState, Mode } from "../../vocabulary/vocabulary.js";
import { parseSegmentKey } from "../snapshot.js";
import type { LiveSegment } from "./live-segment.js";

/** A change of a segment's visible state since the last tick. */
export interface StateChange {
  segment_key: string;
  provider: ProviderId;
  from: HealthState;
  to: HealthState;
  reason_codes: string[];
}

/** A change in the view of one workspace and mode. Empty `reason_codes` mean that the view has ended. */
export interface OverlayStateChange extends StateChange {
  workspaceId: string;
  mode: Mode;
}

/** Pass no reason codes if the view has ended. */
export function overlayChange(
  segment: LiveSegment,
  from: HealthState,
  to: HealthState,
  reasonCodes: string[],
): OverlayStateChange {
  const { provider } = parseSegmentKey(segment.key);
  return { ...segment.owner, segment_key: segment.key, provider, from, to, reason_codes: reasonCodes };
}
