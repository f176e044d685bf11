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
  /** The providers' own reports. */
  reports: readonly WorkspaceReports[];
}

/** The pins of one workspace. */
export interface WorkspaceOverrides {
  workspaceId: string;
  overrides: readonly ProviderOverride[];
}

/** The providers' own reports to one workspace. */
export interface WorkspaceReports extends ProviderReports {
  workspaceId: string;
}

/** The evidence of reported outcomes. */
export interface Evidence {
  outcomes: readonly LiveOutcomes[];
  retries: readonly RetryOutcomes[];
}

/** The knowledge of one workspace in one mode: of health, and of the results of retries. */
export interface LearntView extends LearntHealth {
  recoveries: readonly LearntRecovery[];
}

/** Front → prober. */
export type ProberCommand =
  /** New outcomes of all nodes, in the order of storage. They change the view of their own workspace and mode only. */
  | { type: "outcomes"; evidence: Evidence }
  /**
   * Earlier knowledge, and the outcomes stored since then. The result is shown at once, and a `recalled` report with
   * this ticket confirms it.
   */
  | { type: "recall"; evidence: Evidence; learnt: readonly LearntView[]; ticket: number }
  /** Asks for the knowledge of all views, or of those that changed since the last export. */
  | { type: "export"; all: boolean; ticket: number }
  /**
   * The present pins of these workspaces. They are shown at once, and an `overrides` report with this ticket confirms
   * it.
   */
  | { type: "overrides"; workspaces: readonly WorkspaceOverrides[]; ticket: number }
  /** All present reports. They are shown at once. */
  | { type: "reports"; workspaces: readonly WorkspaceReports[] }
  /** Asks for a summary of the outcomes of each segment and level of one view. */
  | { type: "details"; workspaceId: string; mode: Mode; ticket: number }
  | { type: "stop" };

/** A change of a segment's shown state, for everybody or, with an owner, in the view of one workspace and mode. */
export interface HealthChange {
  owner: { workspaceId: string; mode: Mode } | null;
  provider: string;
  segmentKey: string;
  state: HealthState;
  /** The reasons of the change. Empty if a workspace's own view ended. */
  reasonCodes: string[];
}

/** Prober → front. */
export type ProberReport =
  | { type: "ready" }
  /** Snapshots could not be stored. Null means that they can be stored again. */
  | { type: "replica"; error: string | null }
  | {
      type: "health";
      segments: { provider: string; segmentKey: string; score: number; state: HealthState }[];
      /** True if the prober restarted. Earlier reports no longer hold, and `changes` has the present states. */
      restarted: boolean;
      /** The changes that open and close alerts. */
      changes: HealthChange[];
      /** The alerts that outcomes opened and closed. */
      alerts: OutcomeAlertChange[];
    }
  /** Confirms that the overrides of the ticket are shown. */
  | { type: "overrides"; ticket: number }
  | { type: "recalled"; ticket: number }
  /** Answers the export of the ticket. A view without segments has forgotten everything. */
  | { type: "learnt"; views: LearntView[]; ticket: number }
  /** Answers the question of the ticket. */
  | { type: "details"; details: LiveDetail[]; ticket: number }
  | { type: "stopped" };
