import { OIDC_LIMITS } from "./tuning/oidc.js";
import { TUNING } from "./tuning.js";

/**
 * How long a node waits for its own parts, and for an identity provider, in milliseconds. After that it answers 503 or
 * gives up.
 */
export interface Patience {
  /** The wait for PostgreSQL: for a statement, a connection or a sign of life. */
  databaseReadTimeoutMs: number;
  readWaitMsMax: number;
  readAnswerMsMin: number;
  keyLookupPatienceMs: number;
  decisionAnswerMsMax: number;
  decisionStuckMs: number;
  identityProviderTimeoutMs: number;
}

/** The waits of a node. A `factor` above 1 is for tests on a starved host. Throws RangeError if they do not agree. */
export function patienceOf(factor: number): Patience {
  const patience: Patience = {
    databaseReadTimeoutMs: TUNING.databaseReadTimeoutMs * factor,
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
