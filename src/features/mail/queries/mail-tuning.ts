/** ACC-27: the letters that the service sends. */
export const MAIL_KINDS = ["invitation", "password_reset", "forgotten_password", "address_proof"] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** The purposes of an `email_tokens` row. */
export type EmailTokenPurpose = "password_reset" | "address_proof";

export const MAIL_LIMITS = {
  /** ACC-31. */
  proofLifeMs: 7 * 86_400_000,
  /** ACC-30: a person gets a letter of one purpose at most once in this time. */
  againAfterMs: 60_000,
} as const;

/** The tuning of mail. */
export const MAIL_TUNING = {
  lookIntervalMs: 1000,
  sweepIntervalMs: 60_000,
  /** The connections of the sending thread. */
  connectionsMax: 2,
  /** The time limit of each step with the mail server: the connection, its greeting, and each answer. */
  stepTimeoutMs: 10_000,
  /**
   * ACC-29: the pause after each attempt. The first pause is longer than an attempt can take, so that no other node
   * sends the letter during the attempt.
   */
  pausesSeconds: [60, 60, 120, 300, 600, 1800, 3600, 7200, 14_400, 28_800],
  /** One sweep removes at most this many letters. */
  sweepRowsMax: 1000,
  /** A finished letter is kept for this many days. */
  keptDays: 7,
} as const;
