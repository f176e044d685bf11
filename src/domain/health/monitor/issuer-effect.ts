import { HEALTH_LIMITS } from "../limits.js";
import { spanMs, type FeltSpan, type FeltWindow } from "./felt-window.js";

/** The answers of one provider, or of several together. */
export interface Answers {
  /** Approvals, and declines held against the provider. */
  judged: number;
  /** Expected approvals less actual ones, at the usual share of approvals. Negative if there are more than expected. */
  lost: number;
}

/** The answers of a place: those of the last hours, weighted by age, and those of each of ISSUER_SPANS. */
export interface PlaceAnswers extends Answers {
  spans: {
    readonly judged: readonly number[];
    readonly lost: readonly number[];
    /** The variance that `lost` has by chance. */
    readonly variance: readonly number[];
  };
}

/**
 * The spans in which a fall that all providers share is looked for, up to three hours. They grow in small steps, so that
 * one of them fits each fall. With few of them, an excuse ended whenever its span ended, until the next span fitted.
 */
const SPANS_OF = [
  { ring: "short", from: 4, to: HEALTH_LIMITS.feltBlocks },
  { ring: "long", from: 2, to: HEALTH_LIMITS.feltBlocks },
  { ring: "longest", from: 3, to: HEALTH_LIMITS.feltLongestBlocks },
] as const;
export const ISSUER_SPANS: readonly FeltSpan[] = SPANS_OF.flatMap(({ ring, from, to }) =>
  Array.from({ length: to - from + 1 }, (_, more) => ({ ring, blocks: from + more })),
);

/** The average weight that the answers of each span still have in the last hours, 0..1. */
const SPAN_WEIGHTS = ISSUER_SPANS.map((span) => 0.5 ** (spanMs(span) / 2 / HEALTH_LIMITS.approvalHalfLifeMs));

/** A fall of the other providers excuses a fall of up to twice their own, because both falls are only estimates. */
const OTHERS_FALL_TIMES = 2;
/**
 * The most answers without a loss that are added to the other providers' answers. Without them, one answer at a small
 * provider could move the score of a large one by more than the 2 points of HLTH-28.
 */
const DOUBT_ANSWERS_MAX = 230;

/** The part of what the others lost in a span that can be chance, in standard deviations. */
const LUCK_DEVIATIONS = 2;

/**
 * HLTH-34: estimates how many of a provider's declines the issuers caused. If all providers lose approvals in one
 * country and card network, the issuers there are the cause. If only one provider loses approvals, it is the cause
 * itself. This is the additive model (provider + issuer). Each provider is compared with all others, so that a provider
 * with most of the traffic cannot excuse itself.
 *
 * What the others lost is looked for in the last hours, and in each of the newest spans. The answers of hours say more,
 * but luck before the fall can hide it there. What a span says must be beyond chance.
 *
 * `usual` is the provider's usual share of approvals in that country and network, 0..1. Returns at most `declined`.
 */
export function declinesOfIssuer(
  own: PlaceAnswers & { declined: number },
  others: PlaceAnswers,
  usual: number,
): number {
  if (own.judged <= 0 || own.lost <= 0 || usual <= 0) return 0;
  const doubt = DOUBT_ANSWERS_MAX / (own.judged + DOUBT_ANSWERS_MAX);
  let lost = lostByIssuer(own, others, doubt);
  for (const [index, ownLost] of own.spans.lost.entries()) {
    if (ownLost <= 0) continue;
    const at = (counts: readonly number[]): number => counts[index] as number;
    const chance = LUCK_DEVIATIONS * Math.sqrt(Math.max(0, at(others.spans.variance)));
    const inSpan = lostByIssuer(
      { judged: at(own.spans.judged), lost: ownLost },
      { judged: at(others.spans.judged), lost: at(others.spans.lost) - chance },
      doubt,
    );
    lost = Math.max(lost, at(SPAN_WEIGHTS) * inSpan);
  }
  // Each excused decline lowers the expected approvals by `usual`.
  return Math.min(own.declined, Math.min(own.lost, lost) / usual);
}

/** Returns the answers of a provider's level in each of ISSUER_SPANS. `usual` is as in `declinesOfIssuer`. */
export function spanAnswers(felt: FeltWindow, usual: number, nowMs: number): PlaceAnswers["spans"] {
  const [judged, lost, variance] = [[] as number[], [] as number[], [] as number[]];
  for (const { ring, from } of SPANS_OF) {
    const [answers, declined] = [felt.growing("judged", ring, nowMs), felt.growing("declined", ring, nowMs)];
    for (let blocks = from - 1; blocks < answers.length; blocks++) {
      const all = answers[blocks] as number;
      judged.push(all);
      lost.push((declined[blocks] as number) - (1 - usual) * all);
      variance.push(all * usual * (1 - usual));
    }
  }
  return { judged, lost, variance };
}

export function noAnswers(): PlaceAnswers {
  const zeros = ISSUER_SPANS.map(() => 0);
  return { judged: 0, lost: 0, spans: { judged: zeros, lost: zeros, variance: zeros } };
}

/** Adds up answers, each times `sign`. */
export function addAnswers(
  sum: PlaceAnswers,
  { judged, lost, spans }: PlaceAnswers,
  sign: 1 | -1,
): PlaceAnswers {
  const add = (some: readonly number[], others: readonly number[]): number[] =>
    some.map((one, index) => one + sign * (others[index] as number));
  return {
    judged: sum.judged + sign * judged,
    lost: sum.lost + sign * lost,
    spans: {
      judged: add(sum.spans.judged, spans.judged),
      lost: add(sum.spans.lost, spans.lost),
      variance: add(sum.spans.variance, spans.variance),
    },
  };
}

/** `doubt` is the number of answers without a loss to add to the others' for each own answer. */
function lostByIssuer(own: Answers, others: Answers, doubt: number): number {
  if (own.lost <= 0 || others.lost <= 0) return 0;
  return Math.min(
    own.lost,
    (own.judged * OTHERS_FALL_TIMES * others.lost) / (others.judged + doubt * own.judged),
  );
}
