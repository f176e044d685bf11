import type { ProviderId } from "../../vocabulary/decision-request.js";
import { HEALTH_LIMITS } from "../limits.js";
import type { FeltSpan } from "./felt-window.js";
import type { LevelPath } from "./level-tree.js";
import type { LiveLevel } from "./live-level.js";
import type { LiveSegment } from "./live-segment.js";

/** One of the lowest levels of a segment. */
interface Place {
  readonly segment: LiveSegment;
  readonly path: LevelPath;
  /** The usual share of approvals, 0..1. The evidence uses at most `declinesUsualMax`. */
  readonly usual: number;
  /** The weighted answers of the last hours. */
  readonly judged: number;
  readonly approved: number;
  /** The weighted declines beyond the usual ones. */
  readonly lost: number;
  /** True if the declines beyond the usual ones are too many for chance. */
  readonly isFallen: boolean;
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
/** The spans up to this one, of two and a half minutes, may take back what was overcome. */
const TAKING_BACK = 4;

/**
 * HLTH-35: stops counting the declines of a fall if payments show that the provider approves as usual again. Declines
 * fade over six hours, so an old fall would otherwise keep traffic away for hours. Adds the segments whose counts have
 * changed to `changed`.
 *
 * The evidence is a sequential probability ratio. It compares two likelihoods of the newest answers: if the provider
 * approves as usual, and if it approves as little as before these answers. The ratio combines all places in which the
 * provider has lost approvals, because each place gets few payments. If the fall goes on after all, the
 * newest answers take back what was overcome too early.
 *
 * Source: A. Wald, "Sequential Tests of Statistical Hypotheses", Annals of Mathematical Statistics 16 (1945).
 */
export function overcomeDeclines(
  segments: Iterable<LiveSegment>,
  { nowMs, elapsedMs }: { nowMs: number; elapsedMs: number },
  changed: Set<LiveSegment>,
): void {
  for (const places of placesByProvider(segments, nowMs).values()) {
    const fallen = places.filter(({ isFallen }) => isFallen);
    if (fallen.length === 0) continue;
    const { forward, back } = speedsOf(SPANS.map((span) => weigh(places, span, nowMs)));
    if (forward === 0 && back === 0) continue;
    for (const { segment, path, lost } of fallen) {
      const { overcomeDeclines: overcome } = path[0].evidence;
      const more =
        shareIn(elapsedMs, forward) * Math.max(0, lost - overcome) - shareIn(elapsedMs, back) * overcome;
      if (Math.abs(more) < HEALTH_LIMITS.declinesStepMin) continue;
      for (const level of path) {
        level.evidence.advance(nowMs);
        level.evidence.overcomeMore(more);
      }
      changed.add(segment);
    }
  }
}

function placesByProvider(segments: Iterable<LiveSegment>, nowMs: number): Map<ProviderId, Place[]> {
  const byProvider = new Map<ProviderId, Place[]>();
  for (const segment of segments) {
    const places = byProvider.get(segment.provider) ?? [];
    byProvider.set(segment.provider, places);
    for (const path of segment.tree.deepestPaths()) places.push(placeOf(segment, path, nowMs));
  }
  return byProvider;
}

function placeOf(segment: LiveSegment, path: LevelPath, nowMs: number): Place {
  const [level] = path;
  level.evidence.advance(nowMs);
  const counts = level.evidence.counts();
  const { usual } = level;
  const judged = counts.judged - counts.excused;
  const missing = Math.max(0, usual * judged - counts.approved);
  const deviation = Math.sqrt(judged * usual * (1 - usual));
  return {
    segment,
    path,
    usual: Math.min(usual, HEALTH_LIMITS.declinesUsualMax),
    judged,
    approved: counts.approved,
    lost: missing / usual,
    isFallen: missing > Math.max(HEALTH_LIMITS.fallLostMin, HEALTH_LIMITS.fallDeviationsMin * deviation),
  };
}

/**
 * Returns the logarithm of a likelihood ratio of a span's answers: that the provider approves as usual, divided by that
 * it approves as before the span.
 */
function weigh(places: readonly Place[], span: FeltSpan, nowMs: number): number {
  let logOdds = 0;
  for (const place of places) {
    const { judged, approved } = answersIn(place.path[0], span, nowMs);
    if (judged === 0) continue;
    const left = approvalsLeft(place, { judged, approved }, nowMs);
    const { usual } = place;
    logOdds -= approved * Math.log(left) + (judged - approved) * Math.log((1 - left * usual) / (1 - usual));
  }
  return logOdds;
}

/**
 * Estimates which part 0..1 of a place's usual approvals was left before a span. The last hour decides if it has enough
 * answers, otherwise the weighted hours before. Each place has its own estimate, so that one that was well all the time
 * cannot excuse one that fell.
 */
function approvalsLeft({ path, usual, judged, approved }: Place, span: Answers, nowMs: number): number {
  const before = Math.max(0, approved - span.approved) / Math.max(1, usual * (judged - span.judged));
  const hour = answersIn(path[0], LAST_HOUR, nowMs);
  const weight = HEALTH_LIMITS.declinesSamples;
  const left =
    (hour.approved - span.approved + weight * before) / (usual * (hour.judged - span.judged) + weight);
  return Math.min(1, Math.max(HEALTH_LIMITS.declinesLeftMin, left));
}

/** Returns a level's answers in a span, without those of the current block. */
function answersIn({ evidence: { felt } }: LiveLevel, span: FeltSpan, nowMs: number): Answers {
  const judged = felt.count("judged", span, nowMs) - felt.count("judged", CURRENT_BLOCK, nowMs);
  const declined = felt.count("declined", span, nowMs) - felt.count("declined", CURRENT_BLOCK, nowMs);
  return { judged, approved: judged - declined };
}

/** How fast to overcome the lost declines, and how fast to take back what was overcome. Shares 0..1 a second. */
interface Speeds {
  readonly forward: number;
  readonly back: number;
}

/**
 * Returns the speeds that the evidence of SPANS allows. What newer answers say against a span counts against it. Only
 * the newest answers take anything back, because a longer span may still reach into the fall.
 */
function speedsOf(logOdds: readonly number[]): Speeds {
  const { declinesLogOddsMin: min, declinesPerUnit, overcomePerSecondMax } = HEALTH_LIMITS;
  let [well, fallen, newerWell, newerFallen] = [0, 0, 0, 0];
  for (const [index, one] of logOdds.entries()) {
    well = Math.max(well, one - min - newerFallen);
    if (index < TAKING_BACK) fallen = Math.max(fallen, -one - min - newerWell);
    newerWell = Math.max(newerWell, one);
    newerFallen = Math.max(newerFallen, -one);
  }
  const perSecond = (units: number): number => Math.min(overcomePerSecondMax, declinesPerUnit * units);
  return { forward: perSecond(well), back: perSecond(fallen) };
}

/** Returns the share of something that goes in `elapsedMs`, if `perSecond` of the rest goes each second. */
function shareIn(elapsedMs: number, perSecond: number): number {
  return 1 - (1 - perSecond) ** (elapsedMs / 1000);
}
