/** Limits on a sign-in by OpenID Connect. */
export const OIDC_LIMITS = {
  /** How long the identity provider may take for all that one request asks of it. */
  providerTimeoutMs: 5000,
  /** How long the provider's metadata and keys are used before they are read again. */
  metadataLifeMs: 3_600_000,
  /** How long a person may take at the provider, and then for a one-time code. */
  flowLifeMs: 600_000,
  /** Characters of the dashboard's address to which a sign-in leads. */
  nextCharsMax: 1000,
  /** OpenID Connect Core §2: the characters of a subject. */
  subjectCharsMax: 255,
} as const;
