/** Limits on access. A client that exceeds a count gets 429. The other limits are in `limits.ts`. */
export const ACCESS_LIMITS = {
  /** RATE-9: requests with unknown keys that one source may send in a minute. */
  unknownKeysPerMinute: 60,
  /** RATE-9: the most sources whose unknown keys are counted in a minute. All further sources share one count. */
  unknownKeySourcesMax: 10_000,
  /** The most requests that wait for key look-ups. Further requests get 429. */
  keyLookupsWaitingMax: 1024,
  /** RATE-10: wrong passwords that one account may have in a minute. */
  signInFailuresPerMinute: 10,
  /** The most accounts whose wrong passwords are counted in a minute. Further accounts are not counted. */
  signInAccountsMax: 100_000,
  /** Characters of the reason that the platform's administrator gives. A longer reason is refused with status 400. */
  reasonCharsMax: 500,
} as const;

/** CELL-1: the source of a regular expression for the name of a cell. */
export const CELL_NAME = "[a-z][a-z0-9]{0,7}";
