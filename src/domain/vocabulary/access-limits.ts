/** Limits on who gets in; the others are in `limits.ts`. */
export const ACCESS_LIMITS = {
  /** RATE-9: of one source and minute. */
  unknownKeysPerMinute: 60,
  /** Sources whose unknown keys are counted in a minute; past them the rest are counted as one. */
  unknownKeySourcesMax: 10_000,
  /** Requests that wait until it is known what the keys before them were; more are answered 429. */
  keyLookupsWaitingMax: 1024,
  /** RATE-10: of one account and minute. */
  signInFailuresPerMinute: 10,
  /** Accounts whose failures are counted in a minute; past them no more are. */
  signInAccountsMax: 100_000,
  /** Of what the platform's administrator does to an account. */
  reasonCharsMax: 500,
} as const;
