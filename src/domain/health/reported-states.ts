import type { Mode } from "../vocabulary/vocabulary.js";
import type { OverlayStateChange } from "./live-overlays.js";
import type { HealthSnapshot } from "./snapshot.js";

/** What one workspace and mode sees, without its providers' reports and with them. */
export interface ReportedView {
  workspaceId: string;
  mode: Mode;
  /** The view's own segments. */
  measured: readonly HealthSnapshot[];
  reported: readonly HealthSnapshot[];
}

/**
 * ALRT-3: the states that providers' own reports have changed, so that they open alerts and close them as any other
 * change of a state does. While a report says worse of a segment than its measurements, its word is the one that counts.
 */
export class ReportedStates {
  private shown = new Map<string, OverlayStateChange>();

  get isEmpty(): boolean {
    return this.shown.size === 0;
  }

  /** Forgets what was told: the next update tells all of it again. */
  reset(): void {
    this.shown = new Map();
  }

  /** True where a report holds the state that `change` is of. */
  has(change: OverlayStateChange): boolean {
    return this.shown.has(keyOf(change));
  }

  /** What changed since the update before. `probed`: every probed segment, by key. */
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
      // Of a view without outcomes of its own nothing is left: the probes have the word again.
      const measured = measuredOf.get(key);
      const to = (measured ?? probed.get(published.segment_key))?.state ?? "unknown";
      changes.push({ ...published, from: published.to, to, reason_codes: measured?.reason_codes ?? [] });
    }
    return changes;
  }
}

const INCIDENT = "_INCIDENT_REPORTED";

/** True where a provider's own report of an incident is among the reasons. */
export function isIncident(reasonCodes: readonly string[]): boolean {
  return reasonCodes.some((code) => code.endsWith(INCIDENT));
}

/** An alert names the first reason: the incident is what happened. */
function incidentFirst(reasonCodes: readonly string[]): string[] {
  return reasonCodes.toSorted((a, b) => Number(b.endsWith(INCIDENT)) - Number(a.endsWith(INCIDENT)));
}

/** Modes and workspace ids hold no colon. */
function keyOf({
  workspaceId,
  mode,
  segment_key,
}: Pick<OverlayStateChange, "workspaceId" | "mode" | "segment_key">): string {
  return `${mode}:${workspaceId}:${segment_key}`;
}
