import type { ProviderId } from "../../vocabulary/decision-request.js";
import { HEALTH_LIMITS } from "../limits.js";
import type { FeltCounts, FeltSpan } from "./felt-window.js";
import type { LiveEvidence } from "./live-evidence.js";
import type { LevelPath } from "./level-tree.js";
import type { LiveSegment } from "./live-segment.js";
import type { OwnerSegments } from "./owner-segments.js";

/** A level without others below it. */
interface Place {
  readonly segment: LiveSegment;
  readonly path: LevelPath;
}

/** The newest outcomes, without the current block. Outcomes count once their block is over. */
interface Span {
  readonly withCurrent: FeltSpan;
  /** The average weight that its outcomes still have among the fading counts. */
  readonly weight: number;
}

const CURRENT_BLOCK: FeltSpan = { ring: "short", blocks: 1 };
const SPANS: readonly Span[] = [1, 2, 3, 5, HEALTH_LIMITS.feltBlocks - 1].map((blocks) => ({
  withCurrent: { ring: "short", blocks: blocks + 1 },
  weight: 2 ** (-((blocks / 2) * HEALTH_LIMITS.feltShortBlockMs) / HEALTH_LIMITS.technicalHalfLifeMs),
}));

/** HLTH-35, for all owners. */
export class Recoveries {
  /** The owners that were recovering at the last look. */
  private readonly underway = new Set<OwnerSegments>();
  private lookedMs = -Infinity;

  /**
   * Looks at these owners. With null it looks only at those that are recovering. Returns the segments that forgot
   * failures.
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
 * HLTH-35: forgets failures faster if payments show that a failed provider works again. A provider that routing avoids
 * gets nearly no traffic, so its old failures would keep traffic away for half an hour. Adds the segments that forgot
 * failures.
 *
 * The evidence is a sequential probability ratio: how likely the newest payments are if the provider is well again,
 * against how likely if it still fails as before. It is summed over all the places of a provider that failed, since an
 * outage rarely has one place and each place gets few payments. Places that were well are left out, so they cannot
 * excuse a failing one. The ratio decides how fast time forgets. An outcome enters it only after the outcome itself has
 * moved the score, so that the two never add up.
 *
 * Source: A. Wald, "Sequential Tests of Statistical Hypotheses", Annals of Mathematical Statistics 16 (1945).
 */
function forgetOvercome(
  segments: Iterable<LiveSegment>,
  { nowMs, elapsedMs }: { nowMs: number; elapsedMs: number },
  forgot: Set<LiveSegment>,
): void {
  const byProvider = new Map<ProviderId, Place[]>();
  for (const segment of segments) {
    const { evidence } = segment.top;
    // Most segments have next to no failures at most times.
    if (evidence.technicalFailures + evidence.overcome < HEALTH_LIMITS.overcomeFailuresMin) continue;
    const places = byProvider.get(segment.provider) ?? [];
    byProvider.set(segment.provider, places);
    for (const path of segment.tree.deepestPaths()) {
      path[0].evidence.advance(nowMs);
      places.push({ segment, path });
    }
  }
  for (const places of byProvider.values()) {
    const [best, ...others] = SPANS.map((span) => weigh(places, span, nowMs)) as [Weighed, ...Weighed[]];
    const { logOdds, failing } = others.reduce(
      (most, one) => (one.logOdds > most.logOdds ? one : most),
      best,
    );
    const share = forgottenShare(logOdds, elapsedMs);
    if (share === 0) continue;
    for (const { segment, path } of failing) {
      const [deepest, ...above] = path;
      const forgotten = deepest.evidence.forgetFailures(share);
      for (const level of above) level.evidence.leaveOut(forgotten, nowMs);
      forgot.add(segment);
    }
  }
}

/** The share 0..1 of the failures that is forgotten in `elapsedMs`. */
function forgottenShare(logOdds: number, elapsedMs: number): number {
  const { overcomeLogOddsMin, overcomePerUnit, overcomePerSecondMax } = HEALTH_LIMITS;
  const perSecond = Math.min(
    overcomePerSecondMax,
    overcomePerUnit * Math.max(0, logOdds - overcomeLogOddsMin),
  );
  return 1 - (1 - perSecond) ** (elapsedMs / 1000);
}

/** The evidence of a span about a provider. */
interface Weighed {
  /** The logarithm of the likelihood ratio of its outcomes: provider well again against provider still failing. */
  readonly logOdds: number;
  /** The places that failed before it. */
  readonly failing: readonly Place[];
}

function weigh(places: readonly Place[], span: Span, nowMs: number): Weighed {
  const { wellFailureShare: well, overcomeFailureShareMin: shareMin } = HEALTH_LIMITS;
  const failing: Place[] = [];
  let logOdds = 0;
  for (const place of places) {
    const { evidence } = place.path[0];
    const current = feltIn(evidence, CURRENT_BLOCK, nowMs);
    const all = feltIn(evidence, span.withCurrent, nowMs);
    const failed = all.failed - current.failed;
    const outcomes = all.outcomes - current.outcomes;
    const likely = likelyFailure(
      evidence,
      current.failed + span.weight * failed,
      current.outcomes + span.weight * outcomes,
    );
    if (likely <= shareMin) continue;
    failing.push(place);
    logOdds += failed * Math.log(well / likely) + (outcomes - failed) * Math.log((1 - well) / (1 - likely));
  }
  return { logOdds, failing };
}

/**
 * The likelihood 0..1 that a payment fails, from weighted failures and outcomes. It is shrunk towards the share of a
 * provider that is well, because two failures are no outage. Forgotten failures count here too. Otherwise forgetting
 * would remove the evidence itself.
 */
function likelyFailure(evidence: LiveEvidence, failedSince: number, outcomesSince: number): number {
  const { overcomeSamples: weight, wellFailureShare: well } = HEALTH_LIMITS;
  const { technicalFailures, technicalSamples, overcome } = evidence;
  const failed = Math.max(0, technicalFailures + overcome - failedSince);
  const outcomes = Math.max(failed, technicalSamples + overcome - outcomesSince);
  return (failed + weight * well) / (outcomes + weight);
}

function feltIn(
  { felt }: LiveEvidence,
  span: FeltSpan,
  nowMs: number,
): Pick<FeltCounts, "failed" | "outcomes"> {
  return { failed: felt.count("failed", span, nowMs), outcomes: felt.count("outcomes", span, nowMs) };
}
