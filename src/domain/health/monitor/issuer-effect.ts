/** The answers of one provider, or of several together. */
export interface Answers {
  /** Approvals, and declines held against the provider. */
  judged: number;
  /** Expected approvals less actual ones, at the usual share of approvals. Negative if there are more than expected. */
  lost: number;
}

/** A fall of the other providers excuses a fall of up to twice their own, because both falls are only estimates. */
const OTHERS_FALL_TIMES = 2;
/**
 * The most answers without a loss that are added to the other providers' answers. Without them, one answer at a small
 * provider could move the score of a large one by more than the 2 points of HLTH-28.
 */
const DOUBT_ANSWERS_MAX = 200;

/**
 * HLTH-34: estimates how many of a provider's declines the issuers caused. If all providers lose approvals in one
 * country and card network, the issuers there are the cause. If only one provider loses approvals, it is the cause
 * itself. This is the additive model (provider + issuer). Each provider is compared with all others, so that a provider
 * with most of the traffic cannot excuse itself.
 * `usual` is the provider's usual share of approvals in that country and network, 0..1. Returns at most `declined`.
 */
export function declinesOfIssuer(
  own: Answers & { declined: number },
  others: Answers,
  usual: number,
): number {
  if (own.judged <= 0 || own.lost <= 0 || others.lost <= 0 || usual <= 0) return 0;
  const doubt = (DOUBT_ANSWERS_MAX * own.judged) / (own.judged + DOUBT_ANSWERS_MAX);
  const shared = (OTHERS_FALL_TIMES * others.lost) / (others.judged + doubt);
  // Each excused decline lowers the expected approvals by `usual`.
  return Math.min(own.declined, Math.min(own.lost, own.judged * shared) / usual);
}
