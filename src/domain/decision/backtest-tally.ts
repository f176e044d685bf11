import { namesOf } from "../policy/policy-evaluation.js";
import { isApproved } from "../outcomes/classification.js";
import { tableOf } from "../vocabulary/table-of.js";
import { ACTIONS, type Action, type Outcome } from "../vocabulary/vocabulary.js";
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
  /** Null if the recorded decision was a block. */
  provider_before: string | null;
  provider_after: string | null;
  /** The draft's rules that matched. */
  matched_rules: readonly string[];
}

/** The effect that a draft would have had on a merchant's past decisions. */
export interface BacktestResult {
  /** Decisions made again with the draft. */
  replayed: number;
  /** Decisions that the backtest read and could not replay, because their inputs are not recorded. */
  not_replayable: number;
  /** The replayed decisions whose action or primary provider the draft changes. */
  changed: number;
  by_action_before: { action: Action; count: number }[];
  by_action_after: { action: Action; count: number }[];
  /** Every pair that occurs, unchanged actions included. */
  transitions: { before: Action; after: Action; count: number }[];
  /** The newest of the changed decisions. */
  changed_decisions: ChangedDecision[];
  /**
   * The known outcomes, by the draft's effect on their decisions. Nobody knows what the outcome would have been with
   * the draft.
   */
  outcomes: { known: number; not_known: number } & Record<Effect, OutcomeCount>;
}

/** The effects that a draft can have. Each decision counts in exactly one. */
const EFFECTS = [
  /** Both decisions choose the same provider and neither is held, or both block. */
  "unchanged",
  "provider_changed",
  "would_be_blocked",
  /** The draft holds the decision for a review, whether or not it was held before. */
  "would_be_held",
  /** The decision was held for a review, and the draft routes it at once. */
  "no_longer_held",
] as const;
type Effect = (typeof EFFECTS)[number];

/** Counts a backtest, decision by decision, the newest first. */
export class BacktestTally {
  #notReplayable = 0;
  #replayed = 0;
  #changed = 0;
  #notKnown = 0;
  /** Counts decisions by recorded action (row) and the draft's action (column). Both indices are positions in ACTIONS. */
  readonly #transitions = ACTIONS.map(() => ACTIONS.map(() => 0));
  readonly #changedDecisions: ChangedDecision[] = [];
  readonly #effects = tableOf(EFFECTS, (): OutcomeCount => ({ decisions: 0, approved: 0 }));

  constructor(private readonly changesListedMax: number) {}

  /** The number of decisions counted so far, including those that cannot be made again. */
  get counted(): number {
    return this.#replayed + this.#notReplayable;
  }

  addNotReplayable(): void {
    this.#notReplayable++;
  }

  /** Adds a recorded response, the same decision made with the draft, and its outcome if one was reported. */
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
          matched_rules: namesOf(after.policy.matchedRules),
        });
      }
    }
    if (outcome === null) {
      this.#notKnown++;
      return;
    }
    const effect =
      this.#effects[
        effectOf({ action: before.action, provider: providerBefore }, { action, provider: providerAfter })
      ];
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

/** An instruction; a block has no provider. */
interface Instructed {
  action: Action;
  provider: string | null;
}

/** SIM-8: a decision that the draft holds is never `unchanged`, even with the same provider. */
function effectOf(before: Instructed, after: Instructed): Effect {
  if (after.action === "hold") return "would_be_held";
  if (after.provider === null) return before.provider === null ? "unchanged" : "would_be_blocked";
  if (before.action === "hold") return "no_longer_held";
  return before.provider === after.provider ? "unchanged" : "provider_changed";
}
