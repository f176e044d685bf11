/** The answers of one provider, or of several together. */
export interface Answers {
  /** Approvals, and declines held against the provider. */
  judged: number;
  /** The approvals that are missing, compared with the usual share of them. Negative where there are more. */
  lost: number;
}

/** A fall of the other providers excuses a fall of up to this many times its size, since both are only estimates. */
const OTHERS_FALL_TIMES = 2;
/**
 * The other providers' answers are compared with up to this many answers without a loss. Otherwise one answer of a
 * provider with few could move the score of a provider with many by more than the 2 points of HLTH-28.
 */
const DOUBT_ANSWERS_MAX = 200;

/**
 * HLTH-34: estimates how many of a provider's declines the issuers caused. Losses that all providers share in one
 * country and card network come from the issuers there. Losses of a single provider are its own. This is the additive
 * model (provider + issuer) with each provider compared to all others, so that a provider with most of the traffic
 * cannot excuse itself.
 *
 * `usual` is the provider's usual share of approvals there, 0..1. Returns at most `declined`.
 */
export function declinesOfIssuer(
  own: Answers & { declined: number },
  others: Answers,
  usual: number,
): number {
  if (own.judged <= 0 || own.lost <= 0 || others.lost <= 0 || usual <= 0) return 0;
  const doubt = (DOUBT_ANSWERS_MAX * own.judged) / (own.judged + DOUBT_ANSWERS_MAX);
  const shared = (OTHERS_FALL_TIMES * others.lost) / (others.judged + doubt);
  // Without `n` declines, `n × usual` approvals fewer are expected.
  return Math.min(own.declined, Math.min(own.lost, own.judged * shared) / usual);
}
