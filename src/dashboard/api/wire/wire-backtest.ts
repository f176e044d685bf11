import type { PolicyIssue } from "../../../client/problem.js";
import type { Action } from "../../../domain/vocabulary/vocabulary.js";

/** POST /v1/policies/backtest: one JSON text a line; the last one is the result, or says that there is none. */
export type BacktestLine =
  | { type: "progress"; replayed: number; total: number }
  | ({ type: "result" } & BacktestResult)
  | { type: "error"; message: string };

export interface ActionCount {
  action: Action;
  count: number;
}

interface OutcomeCount {
  decisions: number;
  approved: number;
}

export interface ChangedDecision {
  decision_id: string;
  before: Action;
  after: Action;
  /** null on a block. */
  provider_before: string | null;
  provider_after: string | null;
  matched_rules: string[];
}

export interface BacktestResult {
  warnings: PolicyIssue[];
  /** Decisions made again with the draft. */
  replayed: number;
  /** Decisions that cannot be made again: what they saw is not recorded. */
  not_replayable: number;
  changed: number;
  by_action_before: ActionCount[];
  by_action_after: ActionCount[];
  /** Every pair that occurs, unchanged actions included. */
  transitions: { before: Action; after: Action; count: number }[];
  /** The newest of the changed. */
  changed_decisions: ChangedDecision[];
  /** Each decision whose outcome is known counts in one of the last five. */
  outcomes: {
    known: number;
    not_known: number;
    unchanged: OutcomeCount;
    provider_changed: OutcomeCount;
    would_be_blocked: OutcomeCount;
    would_be_held: OutcomeCount;
    no_longer_held: OutcomeCount;
  };
}
