import type { OutcomeAlertChange } from "../../domain/health/monitor/outcome-alert.js";
import type { ProviderOverride } from "../../domain/health/provider-override.js";
import type { ProviderReports } from "../../domain/health/provider-report.js";
import type { LiveOutcomes } from "../../domain/health/monitor/live-outcome.js";
import type { LiveDetail } from "../../domain/health/monitor/live-level.js";
import type { LearntView as LearntHealth } from "../../domain/health/monitor/monitor.js";
import type { LearntRecovery, RetryOutcomes } from "../../domain/retries/recovery.js";
import type { HealthState, Mode } from "../../domain/vocabulary/vocabulary.js";

/** The data that the thread is started with. */
export interface ProberWorkerData {
  dataDir: string;
  providers: readonly string[];
  currencies: readonly string[];
  /** PROBE_INTERVAL_MS; 0 turns probes off. */
  intervalMs: number;
  seed: number;
  /** The pins that apply from the first tick on. */
  overrides: readonly WorkspaceOverrides[];
  /** The reports that providers have sent. */
  reports: readonly WorkspaceReports[];
}

/** The pins of one workspace. */
export interface WorkspaceOverrides {
  workspaceId: string;
  overrides: readonly ProviderOverride[];
}

/** The reports that providers have sent to one workspace. */
export interface WorkspaceReports extends ProviderReports {
  workspaceId: string;
}

/** What reported outcomes tell about providers, and about retries. */
export interface Evidence {
  outcomes: readonly LiveOutcomes[];
  retries: readonly RetryOutcomes[];
}

/** What one workspace's outcomes in one mode have taught: about health, and about the results of retries. */
export interface LearntView extends LearntHealth {
  recoveries: readonly LearntRecovery[];
}

/** A message from the front to the prober. */
export type ProberCommand =
  /**
   * New outcomes of all nodes, in the order in which they were stored. They change only the views of their own
   * workspaces and modes.
   */
  | { type: "outcomes"; evidence: Evidence }
  /**
   * What was learnt earlier, and the outcomes stored since. The result is shown at once. A `recalled` report with this
   * ticket confirms it.
   */
  | { type: "recall"; evidence: Evidence; learnt: readonly LearntView[]; ticket: number }
  /** Asks for what was learnt in all views, or in those that changed since the last export. */
  | { type: "export"; all: boolean; ticket: number }
  /**
   * The current pins of `workspaces`. They are shown at once. An `overrides` report with this ticket confirms it.
   */
  | { type: "overrides"; workspaces: readonly WorkspaceOverrides[]; ticket: number }
  /** All current reports. They are shown at once. */
  | { type: "reports"; workspaces: readonly WorkspaceReports[] }
  /** Asks for a summary of each segment and level of one view. */
  | { type: "details"; workspaceId: string; mode: Mode; ticket: number }
  | { type: "stop" };

/** A change of a segment's shown state. Without an owner it concerns everybody, and otherwise only the owner's view. */
export interface HealthChange {
  owner: { workspaceId: string; mode: Mode } | null;
  provider: string;
  segmentKey: string;
  state: HealthState;
  /** The reasons of the change. Empty if a workspace's own view ended. */
  reasonCodes: string[];
}

/** A message from the prober to the front. */
export type ProberReport =
  | { type: "ready" }
  /** An error if snapshots could not be stored. Null if they can be stored again. */
  | { type: "replica"; error: string | null }
  | {
      type: "health";
      segments: { provider: string; segmentKey: string; score: number; state: HealthState }[];
      /** True if the prober was restarted. Earlier reports are then outdated, and `changes` has all current states. */
      restarted: boolean;
      /** The state changes that open and close alerts. */
      changes: HealthChange[];
      /** The alerts that outcomes opened and closed. */
      alerts: OutcomeAlertChange[];
    }
  /** Confirms that the overrides with this ticket are shown. */
  | { type: "overrides"; ticket: number }
  | { type: "recalled"; ticket: number }
  /** Answers the export with this ticket. A view without segments has no outcomes any more. */
  | { type: "learnt"; views: LearntView[]; ticket: number }
  /** Answers the request for details with this ticket. */
  | { type: "details"; details: LiveDetail[]; ticket: number }
  | { type: "stopped" };
