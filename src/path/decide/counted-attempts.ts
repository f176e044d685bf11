import {
  askedRetry,
  type AskedRetry,
  type KnownAttempts,
  type SchemeRetry,
} from "../../domain/decision/scheme-retry.js";
import { seenRetry, type SeenRetry } from "../../domain/decision/seen.js";
import type { RecoveryRow } from "../../domain/retries/recovery.js";
import { RETRY_RULES_VERSION } from "../../domain/retries/retry-rules.js";
import type { DecisionRequest } from "../../domain/vocabulary/decision-request.js";
import type { Action } from "../../domain/vocabulary/vocabulary.js";
import { attemptTimesMs } from "../attempts/attempt-list.js";
import { orderAttemptKey } from "../attempts/attempt-store.js";
import type { Journal } from "../journal/journal.js";
import type { DecisionCaller } from "./pool/messages.js";

/** RTRY-14: the attempts of an order, for a decision of a merchant whose policy counts them. */
export class CountedAttempts {
  private constructor(
    readonly key: Buffer,
    /** The list of attempts that the decision uses. Null if no scheme's rule is asked about. */
    readonly seen: Buffer | null,
    /** The question to the scheme's rules, if the decision uses a list. */
    private readonly asked: AskedRetry | null,
    private readonly recoveries: readonly RecoveryRow[],
  ) {}

  /** `given` is the list if it is known already. Otherwise the list is looked up if the decision needs it. */
  static of(
    journal: Journal,
    { workspaceId, mode }: DecisionCaller,
    request: DecisionRequest,
    given: Buffer | null,
    recoveriesOf: () => readonly RecoveryRow[],
  ): CountedAttempts {
    const key = orderAttemptKey(workspaceId, mode, request.merchant_id, request.order_id);
    const asked = askedRetry(request);
    const seen = asked === null ? null : (given ?? journal.reading(() => journal.attempts.find(key)));
    return new CountedAttempts(key, seen, asked, asked === null ? [] : recoveriesOf());
  }

  /** The attempts for the decision. Undefined if it needs none. */
  known(): KnownAttempts | undefined {
    return this.seen === null
      ? undefined
      : {
          timesMs: attemptTimesMs(this.seen),
          rulesVersion: RETRY_RULES_VERSION,
          recoveries: this.recoveries,
        };
  }

  /** The attempts for the decision's document. Null if it used none. */
  recorded(schemeRetry: SchemeRetry | null): SeenRetry | null {
    const known = this.known();
    return known === undefined || this.asked === null ? null : seenRetry(known, schemeRetry, this.asked.code);
  }
}

/** RTRY-14: every action lets the payment go to a provider, but for these. */
const STOPS: ReadonlySet<Action> = new Set(["block", "hold"]);

export function isAttempt(action: Action): boolean {
  return !STOPS.has(action);
}

/** RTRY-16: null unless the scheme asks for a wait that is not over. */
export function retryNotBeforeMs(action: Action, schemeRetry: SchemeRetry | null): number | null {
  const judged = schemeRetry?.judged;
  return action === "block" && judged?.verdict === "too_early" ? judged.notBeforeMs : null;
}
