import { isApproved } from "../outcomes/classification.js";
import { ACTIONS, type Action, type Outcome } from "../shared/vocabulary.js";
import type { Decision } from "./decision.js";
import type { DecisionResponse } from "./response.js";

export interface OutcomeCount {
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
  /** Of the draft. */
  matched_rules: readonly string[];
}

/** What a draft would have done to a merchant's past decisions. */
export interface BacktestResult {
  /** Decisions made again with the draft. */
  replayed: number;
  /** Decisions of the time and limit that cannot be made again: what they saw is not recorded. */
  not_replayable: number;
  /** Of the replayed, those whose action or primary provider the draft changes. */
  changed: number;
  by_action_before: { action: Action; count: number }[];
  by_action_after: { action: Action; count: number }[];
  /** Every pair that occurs, unchanged actions included. */
  transitions: { before: Action; after: Action; count: number }[];
  /** The newest of the changed. */
  changed_decisions: ChangedDecision[];
  /** By what the draft does to the decisions whose outcome is known; what it would have been instead, nobody knows. */
  outcomes: {
    known: number;
    not_known: number;
    unchanged: OutcomeCount;
    provider_changed: OutcomeCount;
    would_be_blocked: OutcomeCount;
  };
}

/** Counts a backtest, decision by decision, the newest first. */
export class BacktestTally {
  #notReplayable = 0;
  #replayed = 0;
  #changed = 0;
  #notKnown = 0;
  /** Counts by position in ACTIONS, before times after. */
  readonly #transitions = ACTIONS.map(() => ACTIONS.map(() => 0));
  readonly #changedDecisions: ChangedDecision[] = [];
  readonly #effects = {
    unchanged: { decisions: 0, approved: 0 },
    provider_changed: { decisions: 0, approved: 0 },
    would_be_blocked: { decisions: 0, approved: 0 },
  };

  constructor(private readonly changesListedMax: number) {}

  /** Decisions counted so far, those that cannot be made again included. */
  get seen(): number {
    return this.#replayed + this.#notReplayable;
  }

  addNotReplayable(): void {
    this.#notReplayable++;
  }

  /** A recorded response, the same decision made with the draft, and its outcome where one was reported. */
  add(before: DecisionResponse, after: Decision, outcome: Outcome | null): void {
    this.#replayed++;
    const { action, route } = after.instruction;
    const row = this.#transitions[ACTIONS.indexOf(before.action)] as number[];
    const column = ACTIONS.indexOf(action);
    row[column] = (row[column] as number) + 1;

    const providerBefore = before.route?.primary_provider ?? null;
    const providerAfter = route?.primaryProvider ?? null;
    if (before.action !== action || providerBefore !== providerAfter) {
      this.#changed++;
      if (this.#changedDecisions.length < this.changesListedMax) {
        this.#changedDecisions.push({
          decision_id: before.decision_id,
          before: before.action,
          after: action,
          provider_before: providerBefore,
          provider_after: providerAfter,
          matched_rules: after.policy.matchedRules,
        });
      }
    }
    if (outcome === null) {
      this.#notKnown++;
      return;
    }
    const effect = this.#effects[effectOf(providerBefore, providerAfter)];
    effect.decisions++;
    if (isApproved(outcome)) effect.approved++;
  }

  result(): BacktestResult {
    const pairs = ACTIONS.flatMap((before, row) =>
      ACTIONS.map((after, column) => ({
        before,
        after,
        count: (this.#transitions[row] as number[])[column] as number,
      })),
    );
    const countBy = (side: "before" | "after"): { action: Action; count: number }[] =>
      ACTIONS.map((action) => ({
        action,
        count: pairs.reduce((sum, pair) => (pair[side] === action ? sum + pair.count : sum), 0),
      })).filter(({ count }) => count > 0);
    return {
      replayed: this.#replayed,
      not_replayable: this.#notReplayable,
      changed: this.#changed,
      by_action_before: countBy("before"),
      by_action_after: countBy("after"),
      transitions: pairs.filter(({ count }) => count > 0),
      changed_decisions: this.#changedDecisions,
      outcomes: {
        known: this.#replayed - this.#notKnown,
        not_known: this.#notKnown,
        ...this.#effects,
      },
    };
  }
}

/** A decision without a route is a block. */
function effectOf(
  providerBefore: string | null,
  providerAfter: string | null,
): "unchanged" | "provider_changed" | "would_be_blocked" {
  if (providerBefore === providerAfter) return "unchanged";
  return providerAfter === null ? "would_be_blocked" : "provider_changed";
}
