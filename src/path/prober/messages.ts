import type { ProviderOverride } from "../../domain/health/provider-override.js";
import type { ProviderReports } from "../../domain/health/provider-report.js";
import type { LiveOutcomes } from "../../domain/health/live-outcome.js";
import type { HealthState, Mode } from "../../domain/vocabulary/vocabulary.js";

/** What the thread is started with. */
export interface ProberWorkerData {
  dataDir: string;
  providers: readonly string[];
  currencies: readonly string[];
  /** PROBE_INTERVAL_MS; 0: no probes. */
  intervalMs: number;
  seed: number;
  /** What is pinned from the first tick on. */
  overrides: readonly WorkspaceOverrides[];
  /** What providers have said of themselves. */
  reports: readonly WorkspaceReports[];
}

/** The pins of one workspace. */
export interface WorkspaceOverrides {
  workspaceId: string;
  overrides: readonly ProviderOverride[];
}

/** What providers said of themselves to one workspace. */
export interface WorkspaceReports extends ProviderReports {
  workspaceId: string;
}

/** Front → prober. */
export type ProberCommand =
  /** Of any node, as they were stored; they move the view of their workspace and mode only. */
  | { type: "outcomes"; outcomes: readonly LiveOutcomes[] }
  /** What was stored before; shown at once, which a `recalled` report with this ticket confirms. */
  | { type: "recall"; outcomes: readonly LiveOutcomes[]; ticket: number }
  /** What these workspaces pin now; shown at once, which an `overrides` report with this ticket confirms. */
  | { type: "overrides"; workspaces: readonly WorkspaceOverrides[]; ticket: number }
  /** All there are; shown at once. */
  | { type: "reports"; workspaces: readonly WorkspaceReports[] }
  | { type: "stop" };

/** A segment shows another state than before: to everybody, or with an owner in the view of one workspace and mode. */
export interface HealthChange {
  owner: { workspaceId: string; mode: Mode } | null;
  provider: string;
  segmentKey: string;
  state: HealthState;
  /** Why; empty where a view of a workspace's own ended. */
  reasonCodes: string[];
}

/** Prober → front. */
export type ProberReport =
  | { type: "ready" }
  /** Snapshots could not be stored, or, with null, can be again. */
  | { type: "replica"; error: string | null }
  | {
      type: "health";
      segments: { provider: string; segmentKey: string; score: number; state: HealthState }[];
      /** True when the prober began anew: what was reported before no longer holds, and `changes` says what does. */
      restarted: boolean;
      /** What opens and closes alerts. */
      changes: HealthChange[];
    }
  /** The overrides of that ticket are shown. */
  | { type: "overrides"; ticket: number }
  | { type: "recalled"; ticket: number }
  | { type: "stopped" };
