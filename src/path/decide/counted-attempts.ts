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

/** RTRY-14: the attempts of an order, for a decision of a merchant whose policy counts attempts. */
export class CountedAttempts {
  private constructor(
    readonly key: Buffer,
    /** The list of attempts that the decision uses. Null if the decision asks no scheme's rules. */
    readonly seen: Buffer | null,
    /** The question to the scheme's rules. Null if there is none. */
    private readonly asked: AskedRetry | null,
    private readonly recoveries: readonly RecoveryRow[],
  ) {}

  /** Uses `given` as the list of attempts. If it is null, looks the list up, provided that the decision needs it. */
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

  /** The attempts for the decision. Undefined if the decision needs none. */
  known(): KnownAttempts | undefined {
    return this.seen === null
      ? undefined
      : {
          timesMs: attemptTimesMs(this.seen),
          rulesVersion: RETRY_RULES_VERSION,
          recoveries: this.recoveries,
        };
  }

  /** The attempts for the decision's document. Null if the decision used none. */
  recorded(schemeRetry: SchemeRetry | null): SeenRetry | null {
    const known = this.known();
    return known === undefined || this.asked === null ? null : seenRetry(known, schemeRetry, this.asked.code);
  }
}

/** RTRY-14: the actions after which the payment does not go to a provider. */
const STOPS: ReadonlySet<Action> = new Set(["block", "hold"]);

export function isAttempt(action: Action): boolean {
  return !STOPS.has(action);
}

/** RTRY-16: when the scheme's wait ends, in Unix milliseconds. Null unless the decision blocks because of a wait. */
export function retryNotBeforeMs(action: Action, schemeRetry: SchemeRetry | null): number | null {
  const judged = schemeRetry?.judged;
  return action === "block" && judged?.verdict === "too_early" ? judged.notBeforeMs : null;
}
