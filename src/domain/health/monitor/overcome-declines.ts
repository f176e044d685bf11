import type { ProviderId } from "../../vocabulary/decision-request.js";
import { HEALTH_LIMITS } from "../limits.js";
import { RATE_TERMS } from "../score.js";
import type { FeltSpan } from "./felt-window.js";
import type { LevelPart } from "./level-tree.js";
import type { LiveSegment } from "./live-segment.js";

/** The payments of a level that belong to no level below it. */
interface Place {
  readonly segment: LiveSegment;
  readonly part: LevelPart;
  /** The usual share of approvals, 0..1. The evidence uses at most `declinesUsualMax`. */
  readonly usual: number;
  /** The weighted answers of the last hours. */
  readonly judged: number;
  readonly approved: number;
  /** The weighted declines beyond the usual ones. */
  readonly lost: number;
  /** The weighted declines that are overcome now. */
  readonly overcome: number;
  /** The weighted declines that would cost all points that declines can cost. */
  readonly costly: number;
  /** True if the declines beyond the usual ones are too many for chance. */
  readonly isFallen: boolean;
  /**
   * True if the issuers caused most of what was lost (HLTH-34). The answers then say nothing about other places of the
   * provider.
   */
  readonly isExcused: boolean;
}

/** What the answers of some places say together. */
interface Recovery {
  /** The share of what is left, 0..1, each second. */
  readonly speed: number;
  /** How many spans begin no earlier than the recovery: those whose answers can contradict it. */
  readonly spans: number;
}

interface Answers {
  judged: number;
  approved: number;
}

const CURRENT_BLOCK: FeltSpan = { ring: "short", blocks: 1 };
const LAST_HOUR: FeltSpan = { ring: "long", blocks: HEALTH_LIMITS.feltBlocks };
/** The newest answers, the shortest span first. The current block is subtracted from each. */
const SPANS: readonly FeltSpan[] = [
  ...[2, 3, 4, 6, HEALTH_LIMITS.feltBlocks].map((blocks): FeltSpan => ({ ring: "short", blocks })),
  ...[3, 6, HEALTH_LIMITS.feltBlocks].map((blocks): FeltSpan => ({ ring: "long", blocks })),
];
/**
 * How much more the shortest spans must say before anything is overcome, in units of log odds. They have new answers
 * most often, so luck would suffice in them again and again.
 */
const EXTRA: readonly number[] = [2, 0.5];
/**
 * The number of spans, up to two and a half minutes, in which a place's own answers can take back what it has overcome
 * while no recovery is seen. A longer span could contain the fall from before.
 */
const SPANS_WITHOUT_RECOVERY = 4;

/**
 * HLTH-35: stops counting the declines of a fall if payments show that the provider approves as usual again. Declines
 * fade over six hours, so an old fall would otherwise keep traffic away for hours. Adds the segments whose counts have
 * changed to `changed`.
 *
 * The evidence is a sequential probability ratio. It compares two likelihoods of the newest answers: if the provider
 * approves as usual, and if it approves as little as before these answers. The ratio combines all places of the
 * provider, because each place gets few payments. A place whose own newest answers say the opposite is left out. If a
 * fall goes on after all, the place's own answers take back what was overcome too early.
 *
 * Source: A. Wald, "Sequential Tests of Statistical Hypotheses", Annals of Mathematical Statistics 16 (1945).
 */
export function overcomeDeclines(
  segments: Iterable<LiveSegment>,
  { nowMs, elapsedMs }: { nowMs: number; elapsedMs: number },
  changed: Set<LiveSegment>,
): void {
  const { declinesLogOddsMin, declinesStepMin } = HEALTH_LIMITS;
  for (const places of placesByProvider(segments, nowMs).values()) {
    if (!places.some(({ isFallen, overcome }) => isFallen || overcome > 0)) continue;
    const evidence = places.map((place) => SPANS.map((span) => logOddsOf(place, span, nowMs)));
    const together = evidence.filter((_, index) => places[index]?.isExcused === false);
    const pooled = recoveryOf(together);
    for (const [index, { segment, part, lost, overcome, costly, isFallen, isExcused }] of places.entries()) {
      const all = evidence[index] as readonly number[];
      const alone = isExcused ? recoveryOf([all]) : pooled;
      const { speed: forward, spans } = alone.speed > pooled.speed ? alone : pooled;
      const opposite = oppositeUnits(all.slice(0, spans));
      const ready = isFallen ? Math.max(0, 1 - opposite) : 0;
      const back = speedOf(opposite - declinesLogOddsMin);
      const gained = ready * shareIn(elapsedMs, forward) * Math.max(0, lost - overcome);
      // A deep fall has many more declines than cost points, so a share of all of them could cost most points at once.
      const takenBack = shareIn(elapsedMs, back) * Math.min(overcome, costly);
      // Later approvals, or issuers, can have explained declines that were overcome before.
      const more = Math.min(gained - takenBack, lost - overcome);
      if (Math.abs(more) < declinesStepMin) continue;
      segment.tree.overcome(part, more, nowMs);
      changed.add(segment);
    }
  }
}

/** Judges places by their evidence together. */
function recoveryOf(evidence: readonly (readonly number[])[]): Recovery {
  const pooled = SPANS.map((_, span) => evidence.reduce((sum, own) => sum + (own[span] as number), 0));
  const { units, span } = wellUnits(pooled);
  return { speed: speedOf(units), spans: units === 0 ? SPANS_WITHOUT_RECOVERY : span + 1 };
}

function placesByProvider(segments: Iterable<LiveSegment>, nowMs: number): Map<ProviderId, Place[]> {
  const byProvider = new Map<ProviderId, Place[]>();
  for (const segment of segments) {
    const places = byProvider.get(segment.provider) ?? [];
    byProvider.set(segment.provider, places);
    for (const part of segment.tree.parts()) {
      // A restored level does not know its usual share before its first tick.
      if (part.level.latest !== null) places.push(placeOf(segment, part, nowMs));
    }
  }
  return byProvider;
}

function placeOf(segment: LiveSegment, part: LevelPart, nowMs: number): Place {
  const { level, below } = part;
  level.evidence.advance(nowMs);
  let { judged, approved, excused } = level.evidence.counts();
  let overcome = level.evidence.overcomeDeclines;
  for (const { evidence } of below) {
    evidence.advance(nowMs);
    const counts = evidence.counts();
    judged -= counts.judged;
    approved -= counts.approved;
    excused -= counts.excused;
    overcome -= evidence.overcomeDeclines;
  }
  const { usual } = level;
  const { pointsMax, pointsPerUnit } = RATE_TERMS.approval;
  const answers = Math.max(0, judged - excused);
  const missing = Math.max(0, usual * answers - approved);
  const deviation = Math.sqrt(answers * usual * (1 - usual));
  return {
    segment,
    part,
    usual: Math.min(usual, HEALTH_LIMITS.declinesUsualMax),
    judged: answers,
    approved,
    lost: missing === 0 ? 0 : missing / usual,
    overcome: Math.max(0, overcome),
    costly:
      (Math.max(0, answers - Math.max(0, overcome)) * pointsMax) / pointsPerUnit +
      pointsMax / HEALTH_LIMITS.approvalPointsPerOutcome,
    isFallen: missing > Math.max(HEALTH_LIMITS.fallLostMin, HEALTH_LIMITS.fallDeviationsMin * deviation),
    isExcused: excused > Math.max(HEALTH_LIMITS.fallLostMin, usual * judged - approved) / 2,
  };
}

/**
 * Returns the logarithm of a likelihood ratio of a place's answers in a span: that the provider approves as usual,
 * divided by that it approves as before the span.
 */
function logOddsOf(place: Place, span: FeltSpan, nowMs: number): number {
  const { judged, approved } = answersIn(place.part, span, nowMs);
  if (judged === 0) return 0;
  const left = approvalsLeft(place, { judged, approved }, nowMs);
  const { usual } = place;
  return -(approved * Math.log(left) + (judged - approved) * Math.log((1 - left * usual) / (1 - usual)));
}

/**
 * Estimates which part 0..1 of a place's usual approvals was left before a span. The last hour decides if it has enough
 * answers, otherwise the weighted hours before. Each place has its own estimate, and counts as well until its answers
 * say otherwise. So neither a new place nor one that was well all the time excuses one that fell.
 */
function approvalsLeft({ part, usual, judged, approved }: Place, span: Answers, nowMs: number): number {
  const { declinesWellSamples: well, declinesSamples: weight, declinesLeftMin } = HEALTH_LIMITS;
  const before =
    (Math.max(0, approved - span.approved) + well) / (usual * Math.max(0, judged - span.judged) + well);
  const hour = answersIn(part, LAST_HOUR, nowMs);
  const left =
    (hour.approved - span.approved + weight * before) / (usual * (hour.judged - span.judged) + weight);
  return Math.min(1, Math.max(declinesLeftMin, left));
}

/** Returns a place's answers in a span, without those of the current block. */
function answersIn({ level, below }: LevelPart, span: FeltSpan, nowMs: number): Answers {
  let [judged, declined] = [0, 0];
  const add = ({ felt }: LevelPart["level"]["evidence"], sign: number): void => {
    judged += sign * (felt.count("judged", span, nowMs) - felt.count("judged", CURRENT_BLOCK, nowMs));
    declined += sign * (felt.count("declined", span, nowMs) - felt.count("declined", CURRENT_BLOCK, nowMs));
  };
  add(level.evidence, 1);
  for (const { evidence } of below) add(evidence, -1);
  return { judged: Math.max(0, judged), approved: Math.max(0, judged - declined) };
}

/**
 * Returns how far evidence that the provider is well exceeds the odds that can be chance. `logOdds` are those of spans,
 * the shortest first. What newer answers say against a longer span counts against it. That a shorter span has little to
 * say does not.
 */
function wellUnits(logOdds: readonly number[]): { units: number; span: number } {
  let [units, span, newerFallen] = [0, 0, 0];
  for (const [index, one] of logOdds.entries()) {
    const more = one - HEALTH_LIMITS.declinesLogOddsMin - (EXTRA[index] ?? 0) - newerFallen;
    if (more > units) [units, span] = [more, index];
    newerFallen = Math.max(newerFallen, -one);
  }
  return { units, span };
}

/**
 * Returns the evidence that a place still falls, in units of log odds. The longest span has all its answers since the
 * recovery. A shorter one would need only two declines in a row, which come every few minutes. But the longest can also
 * contain a part of the fall, so a span that shows the place well again silences it.
 */
function oppositeUnits(logOdds: readonly number[]): number {
  const well = Math.max(0, ...logOdds);
  const fallen = Math.max(0, -(logOdds.at(-1) as number));
  return fallen * Math.max(0, 1 - well / HEALTH_LIMITS.declinesLogOddsMin);
}

/** Returns the share 0..1 to change each second. */
function speedOf(units: number): number {
  return Math.min(HEALTH_LIMITS.declinesPerSecondMax, HEALTH_LIMITS.declinesPerUnit * Math.max(0, units));
}

/** Returns the share that changes in `elapsedMs`, if `perSecond` of the rest changes each second. */
function shareIn(elapsedMs: number, perSecond: number): number {
  return 1 - (1 - perSecond) ** (elapsedMs / 1000);
}
