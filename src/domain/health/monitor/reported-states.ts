import type { Mode } from "../../vocabulary/vocabulary.js";
import type { OverlayStateChange } from "./state-change.js";
import type { HealthSnapshot } from "../snapshot.js";

/** The snapshots of one workspace and mode, before and after the providers' reports are applied. */
export interface ReportedView {
  workspaceId: string;
  mode: Mode;
  /** The snapshots of the view's own segments. */
  measured: readonly HealthSnapshot[];
  reported: readonly HealthSnapshot[];
}

/**
 * ALRT-3: tracks the states that providers' reports have changed, so that these changes open and close alerts like all
 * others. A report counts if it makes a segment's state worse than measured.
 */
export class ReportedStates {
  private shown = new Map<string, OverlayStateChange>();

  get isEmpty(): boolean {
    return this.shown.size === 0;
  }

  /** Forgets the reported states, so that the next update returns all of them as changes. */
  reset(): void {
    this.shown = new Map();
  }

  /** True if a report decides the state of the change's segment. */
  has(change: OverlayStateChange): boolean {
    return this.shown.has(keyOf(change));
  }

  /** Returns the changes since the last update. `probed` contains every probed segment by key. */
  update(views: readonly ReportedView[], probed: ReadonlyMap<string, HealthSnapshot>): OverlayStateChange[] {
    const before = this.shown;
    const measuredOf = new Map<string, HealthSnapshot>();
    const changes: OverlayStateChange[] = [];
    this.shown = new Map();
    for (const { workspaceId, mode, measured, reported } of views) {
      for (const snapshot of measured) {
        measuredOf.set(keyOf({ workspaceId, mode, segment_key: snapshot.segment_key }), snapshot);
      }
      for (const { segment_key, provider, state: to, reason_codes } of reported) {
        const key = keyOf({ workspaceId, mode, segment_key });
        const from = (measuredOf.get(key) ?? probed.get(segment_key))?.state ?? "unknown";
        if (from === to) continue;
        const codes = incidentFirst(reason_codes);
        const change = { workspaceId, mode, segment_key, provider, from, to, reason_codes: codes };
        this.shown.set(key, change);
        const published = before.get(key);
        if (published?.to !== to) changes.push({ ...change, from: published?.to ?? from });
      }
    }
    for (const [key, published] of before) {
      if (this.shown.has(key)) continue;
      // If the view no longer has outcomes of its own, the state of the probes applies.
      const measured = measuredOf.get(key);
      const to = (measured ?? probed.get(published.segment_key))?.state ?? "unknown";
      changes.push({ ...published, from: published.to, to, reason_codes: measured?.reason_codes ?? [] });
    }
    return changes;
  }
}

const INCIDENT = "_INCIDENT_REPORTED";

/** True if a provider's report of an incident is among the reasons. */
export function isIncident(reasonCodes: readonly string[]): boolean {
  return reasonCodes.some((code) => code.endsWith(INCIDENT));
}

/** Moves the incident to the front, because an alert names the first reason. */
function incidentFirst(reasonCodes: readonly string[]): string[] {
  return reasonCodes.toSorted((a, b) => Number(b.endsWith(INCIDENT)) - Number(a.endsWith(INCIDENT)));
}

/** Modes and workspace ids contain no colon, so the key is unambiguous. */
function keyOf({
  workspaceId,
  mode,
  segment_key,
}: Pick<OverlayStateChange, "workspaceId" | "mode" | "segment_key">): string {
  return `${mode}:${workspaceId}:${segment_key}`;
}
