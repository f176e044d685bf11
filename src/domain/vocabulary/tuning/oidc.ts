/** Limits on a sign-in by OpenID Connect. */
export const OIDC_LIMITS = {
  /** The longest that the identity provider may take for all calls of one request. */
  providerTimeoutMs: 5000,
  /** How long the provider's metadata and keys are used before they are read again. */
  metadataLifeMs: 3_600_000,
  /** The longest that a person may take at the provider, and then for a one-time code. */
  flowLifeMs: 600_000,
  /** The most characters of the dashboard's address that a sign-in leads to. */
  nextCharsMax: 1000,
  /** OpenID Connect Core §2: the characters of a subject. */
  subjectCharsMax: 255,
} as const;
