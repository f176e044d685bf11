import type { ProviderId } from "../../vocabulary/decision-request.js";
import { HEALTH_LIMITS } from "../limits.js";
import type { FeltCounts, FeltSpan } from "./felt-window.js";
import type { LiveEvidence } from "./live-evidence.js";
import type { LevelPath } from "./level-tree.js";
import type { LiveSegment } from "./live-segment.js";
import type { OwnerSegments } from "./owner-segments.js";

/** A level whose payments failed. */
interface Failing {
  readonly segment: LiveSegment;
  readonly path: LevelPath;
  /** How likely the next payment is to fail if nothing has changed, 0..1. */
  readonly likely: number;
}

/** Each begins so many blocks before the current one, which is left out: an outcome counts once its block is over. */
const SPANS: readonly FeltSpan[] = [1, 2, 3, 5, HEALTH_LIMITS.feltBlocks - 1].map((blocks) => ({
  ring: "short",
  blocks: blocks + 1,
}));
const CURRENT_BLOCK: FeltSpan = { ring: "short", blocks: 1 };

/** HLTH-35, for all owners. */
export class Recoveries {
  /** Those that got over something at the last look. */
  private readonly underway = new Set<OwnerSegments>();
  private lookedMs = -Infinity;

  /**
   * Looks at these owners, or with null only at those that are getting over something. Returns the segments that forgot.
   */
  look(owners: Iterable<OwnerSegments> | null, nowMs: number): ReadonlySet<LiveSegment> {
    const elapsedMs = Math.min(nowMs - this.lookedMs, HEALTH_LIMITS.fadeIntervalMs);
    this.lookedMs = nowMs;
    const forgot = new Set<LiveSegment>();
    for (const owned of owners ?? this.underway) {
      const before = forgot.size;
      forgetOvercome(owned.byKey.values(), { nowMs, elapsedMs }, forgot);
      if (forgot.size === before) this.underway.delete(owned);
      else this.underway.add(owned);
    }
    return forgot;
  }
}

/**
 * HLTH-35: forgets failures faster where payments show that what failed works again. A provider that was left gets next
 * to no traffic, so its old failures would keep the rest away for half an hour. Adds the segments that forgot.
 *
 * The evidence is a sequential probability ratio: how likely the newest payments are if the provider is well again,
 * against how likely if it still fails as before. It is summed over all the places of a provider that failed, since an
 * outage rarely has one place and each place gets few payments. Places that were well say nothing, so they cannot excuse
 * one that fails. The ratio decides how fast time forgets. An outcome enters it only after the outcome itself has moved
 * the score, so that the two never add up.
 *
 * Source: A. Wald, "Sequential Tests of Statistical Hypotheses", Annals of Mathematical Statistics 16 (1945).
 */
function forgetOvercome(
  segments: Iterable<LiveSegment>,
  { nowMs, elapsedMs }: { nowMs: number; elapsedMs: number },
  forgot: Set<LiveSegment>,
): void {
  const byProvider = new Map<ProviderId, Failing[]>();
  for (const segment of segments) {
    const { evidence } = segment.top;
    // Next to nothing failed, in most segments at most times.
    if (evidence.technicalFailures + evidence.overcome < HEALTH_LIMITS.overcomeFailuresMin) continue;
    for (const path of segment.tree.deepestPaths()) {
      const likely = likelyFailure(path, nowMs);
      if (likely <= HEALTH_LIMITS.overcomeFailureShareMin) continue;
      const places = byProvider.get(segment.provider) ?? [];
      byProvider.set(segment.provider, places);
      places.push({ segment, path, likely });
    }
  }
  for (const places of byProvider.values()) {
    const logOdds = Math.max(...SPANS.map((span) => logRatio(places, span, nowMs)));
    const share = forgottenShare(logOdds, elapsedMs);
    if (share === 0) continue;
    for (const { segment, path } of places) {
      const [deepest, ...above] = path;
      const forgotten = deepest.evidence.forgetFailures(share);
      for (const level of above) level.evidence.leaveOut(forgotten, nowMs);
      forgot.add(segment);
    }
  }
}

/** The share of the failures that is forgotten in so much time, 0..1. */
function forgottenShare(logOdds: number, elapsedMs: number): number {
  const { overcomeLogOddsMin, overcomePerUnit, overcomePerSecondMax } = HEALTH_LIMITS;
  const perSecond = Math.min(
    overcomePerSecondMax,
    overcomePerUnit * Math.max(0, logOdds - overcomeLogOddsMin),
  );
  return 1 - (1 - perSecond) ** (elapsedMs / 1000);
}

/**
 * The share of failures, shrunk towards that of a provider that is well: two failures are no outage. What was forgotten
 * counts here, or else the evidence would go with it.
 */
function likelyFailure([{ evidence }]: LevelPath, nowMs: number): number {
  evidence.advance(nowMs);
  const { overcomeSamples: weight, wellFailureShare: well } = HEALTH_LIMITS;
  const { technicalFailures, technicalSamples, overcome } = evidence;
  return (technicalFailures + overcome + weight * well) / (technicalSamples + overcome + weight);
}

/** The logarithm of how much likelier the outcomes of a span are if the provider is well again. */
function logRatio(failing: readonly Failing[], span: FeltSpan, nowMs: number): number {
  const { wellFailureShare: well } = HEALTH_LIMITS;
  let sum = 0;
  for (const { path, likely } of failing) {
    const failed = countOf(path[0].evidence, "failed", span, nowMs);
    const answered = countOf(path[0].evidence, "outcomes", span, nowMs) - failed;
    sum += failed * Math.log(well / likely) + answered * Math.log((1 - well) / (1 - likely));
  }
  return sum;
}

function countOf({ felt }: LiveEvidence, name: keyof FeltCounts, span: FeltSpan, nowMs: number): number {
  return felt.count(name, span, nowMs) - felt.count(name, CURRENT_BLOCK, nowMs);
}
