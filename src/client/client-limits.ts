/**
 * The limits of the client library. They are in a file of their own, because the client runs without the service's
 * sources.
 */
export const CLIENT_LIMITS = {
  /** CLI-1: the hard timeout of a decision is 50 to 250 ms. */
  decisionTimeoutMsMin: 50,
  decisionTimeoutMsMax: 250,
  decisionTimeoutMsDefault: 150,
  /** The timeout of one attempt of any other request. It is longer, because no customer waits for the answer. */
  requestTimeoutMsMin: 100,
  requestTimeoutMsMax: 120_000,
  requestTimeoutMsDefault: 10_000,
  retriesMax: 10,
  retriesDefault: 3,
  retryDelayBaseMs: 100,
  retryDelayMsMax: 2000,
  /** Larger than any answer of the service. A list of policies can have a little over 4 MiB. */
  answerBytesMax: 16 * 2 ** 20,
  idleConnectionsMax: 64,
  /** RES-14: how long a decision stays fresh. */
  decisionTtlMs: 3000,
  idempotencyKeyCharsMax: 255,
  logPageRows: 100,
} as const;
