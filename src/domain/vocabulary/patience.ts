import { OIDC_LIMITS } from "./tuning/oidc.js";
import { TUNING } from "./tuning.js";

/**
 * How long a node waits for its own parts and for an identity provider, in milliseconds. When a wait ends, the node
 * answers 503 or gives up.
 */
export interface Patience {
  /** The wait for PostgreSQL: for a statement, for a connection, or for a check that a connection works. */
  databaseReadTimeoutMs: number;
  databaseStartPatienceMs: number;
  readWaitMsMax: number;
  readAnswerMsMin: number;
  keyLookupPatienceMs: number;
  decisionAnswerMsMax: number;
  decisionStuckMs: number;
  identityProviderTimeoutMs: number;
}

/**
 * The waits of a node. Pass a `factor` above 1 in tests on a slow host. Throws RangeError if the waits contradict each
 * other.
 */
export function patienceOf(factor: number): Patience {
  const patience: Patience = {
    databaseReadTimeoutMs: TUNING.databaseReadTimeoutMs * factor,
    databaseStartPatienceMs: TUNING.databaseStartPatienceMs * factor,
    readWaitMsMax: TUNING.readWaitMsMax * factor,
    readAnswerMsMin: TUNING.readAnswerMsMin * factor,
    keyLookupPatienceMs: TUNING.keyLookupPatienceMs * factor,
    decisionAnswerMsMax: TUNING.decisionAnswerMsMax * factor,
    decisionStuckMs: TUNING.decisionStuckMs * factor,
    identityProviderTimeoutMs: OIDC_LIMITS.providerTimeoutMs * factor,
  };
  if (patience.readWaitMsMax >= patience.databaseReadTimeoutMs - patience.readAnswerMsMin) {
    throw new RangeError(
      "readWaitMsMax must leave readAnswerMsMin of databaseReadTimeoutMs: a read needs time for its answer",
    );
  }
  if (patience.keyLookupPatienceMs >= patience.databaseReadTimeoutMs) {
    throw new RangeError("keyLookupPatienceMs must be less than databaseReadTimeoutMs");
  }
  if (TUNING.idempotencyClaimMs >= patience.decisionAnswerMsMax) {
    throw new RangeError("idempotencyClaimMs must be less than decisionAnswerMsMax");
  }
  if (patience.decisionAnswerMsMax >= patience.decisionStuckMs) {
    throw new RangeError(
      "decisionAnswerMsMax must be less than decisionStuckMs: waiting requests are answered first",
    );
  }
  return patience;
}
