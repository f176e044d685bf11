import type { ProviderId } from "../../vocabulary/decision-request.js";
import { HEALTH_LIMITS } from "../limits.js";
import type { FeltCounts, FeltSpan } from "./felt-window.js";
import { failurePoints, type LiveCounts } from "./live-estimate.js";
import type { LiveEvidence } from "./live-evidence.js";
import type { LevelPart } from "./level-tree.js";
import type { LiveLevel } from "./live-level.js";
import type { LiveSegment } from "./live-segment.js";
import { overcomeDeclines } from "./overcome-declines.js";
import type { OwnerSegments } from "./owner-segments.js";

/** One of the lowest levels of a segment. */
interface Place extends Pick<LevelPart, "path" | "country"> {
  readonly segment: LiveSegment;
}

/**
 * The newest complete blocks. `withCurrent` also spans the current block, whose counts are then subtracted. An outcome
 * therefore counts only after its block has ended.
 */
interface Span {
  readonly withCurrent: FeltSpan;
  /** The average weight that the span's outcomes still have among the fading counts. */
  readonly weight: number;
}

const CURRENT_BLOCK: FeltSpan = { ring: "short", blocks: 1 };
const SPANS: readonly Span[] = [1, 2, 3, 5, HEALTH_LIMITS.feltBlocks - 1].map((blocks) => ({
  withCurrent: { ring: "short", blocks: blocks + 1 },
  weight: 2 ** (-((blocks / 2) * HEALTH_LIMITS.feltShortBlockMs) / HEALTH_LIMITS.technicalHalfLifeMs),
}));

/** HLTH-35: the recoveries of all owners. */
export class Recoveries {
  private readonly underway = new Set<OwnerSegments>();
  private lookedMs = -Infinity;

  /** The owners that had a recovery in progress when `look` last ran. */
  owners(): Iterable<OwnerSegments> {
    return this.underway;
  }

  /**
   * Advances the recoveries of `owners`. If `owners` is null, it advances only the recoveries in progress. Returns the
   * segments that forgot failures.
   */
  look(owners: Iterable<OwnerSegments> | null, nowMs: number): ReadonlySet<LiveSegment> {
    const elapsedMs = Math.min(nowMs - this.lookedMs, HEALTH_LIMITS.fadeIntervalMs);
    this.lookedMs = nowMs;
    const forgot = new Set<LiveSegment>();
    for (const owned of owners ?? this.underway) {
      const before = forgot.size;
      forgetOvercome(owned.byKey.values(), { nowMs, elapsedMs }, forgot);
      overcomeDeclines(owned.byKey.values(), { nowMs, elapsedMs }, forgot);
      if (forgot.size === before) this.underway.delete(owned);
      else this.underway.add(owned);
    }
    return forgot;
  }
}

/**
 * HLTH-35: forgets failures faster if payments show that a failed provider works again. Routing gives a failed provider
 * almost no traffic, so its old failures would otherwise keep traffic away for half an hour. Adds the segments that
 * forgot failures to `forgot`.
 *
 * The evidence is a sequential probability ratio. It compares two likelihoods of the newest payments: if the provider
 * works again, and if it still fails as before. The ratio combines all places in which the provider failed, because an
 * outage rarely has one place and each place gets few payments. Places without failures are left out, so that they
 * cannot excuse a failing one. The ratio sets the speed of forgetting. An outcome first moves the score itself and
 * enters the ratio later, so the two effects never add up.
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
    // Most segments have almost no failures, so they are skipped early.
    if (evidence.technicalFailures + evidence.overcome < HEALTH_LIMITS.overcomeFailuresMin) continue;
    const places = byProvider.get(segment.provider) ?? [];
    byProvider.set(segment.provider, places);
    for (const { path, country } of segment.tree.deepestPaths()) {
      path[0].evidence.advance(nowMs);
      places.push({ segment, path, country });
    }
  }
  for (const places of byProvider.values()) {
    const [best, ...others] = SPANS.map((span) => weigh(places, span, nowMs)) as [Weighed, ...Weighed[]];
    const { logOdds, failing } = others.reduce(
      (most, one) => (one.logOdds > most.logOdds ? one : most),
      best,
    );
    const fastest = forgottenShare(logOdds, elapsedMs);
    if (fastest === 0) continue;
    const share = gentleShare(failing, fastest, nowMs);
    for (const { segment, path, country } of failing) {
      const [deepest, ...above] = path;
      const forgotten = deepest.evidence.forgetFailures(share);
      for (const level of above) level.evidence.leaveOut(forgotten, nowMs);
      segment.tree.heat(country);
      forgot.add(segment);
    }
  }
}

/** Returns the share of failures, 0..1, to forget in `elapsedMs`. */
function forgottenShare(logOdds: number, elapsedMs: number): number {
  const { overcomeLogOddsMin, overcomePerUnit, overcomePerSecondMax } = HEALTH_LIMITS;
  const perSecond = Math.min(
    overcomePerSecondMax,
    overcomePerUnit * Math.max(0, logOdds - overcomeLogOddsMin),
  );
  return 1 - (1 - perSecond) ** (elapsedMs / 1000);
}

/**
 * Returns a share of the failures in these places, at most `share`, that moves no score by more than `overcomePointsMax`
 * at once. A score moves with its own level and those above it. Without probes it moves with the provider's other
 * segments too.
 */
function gentleShare(places: readonly Place[], share: number, nowMs: number): number {
  const gained = new Map<LiveLevel, number>();
  const gainOf = (level: LiveLevel): number => {
    const points = gained.get(level) ?? pointsGained(level.evidence, share, nowMs);
    gained.set(level, points);
    return points;
  };
  const tops = [...new Set(places.map(({ segment }) => segment.top))];
  const [widest, next] = tops.toSorted((a, b) => gainOf(b) - gainOf(a));
  let most = 0;
  for (const { path, segment } of places) {
    const other = segment.top === widest ? next : widest;
    let points = other === undefined ? 0 : gainOf(other);
    for (const level of path) points += gainOf(level);
    most = Math.max(most, points);
  }
  // The points grow at least in proportion to the share, because each deduction has a cap.
  return share * Math.min(1, HEALTH_LIMITS.overcomePointsMax / most);
}

/** Returns the points that a level's score gains if this share of its failures is forgotten. */
function pointsGained(evidence: LiveEvidence, share: number, nowMs: number): number {
  evidence.advance(nowMs);
  const counts = evidence.counts();
  return failurePoints(counts) - failurePoints(withoutFailures(counts, share));
}

function withoutFailures(counts: LiveCounts, share: number): LiveCounts {
  const { recent, timeouts, errors5xx, throttled429 } = counts;
  const left = 1 - share;
  return {
    ...counts,
    recent: recent - share * (timeouts + errors5xx + throttled429),
    timeouts: left * timeouts,
    errors5xx: left * errors5xx,
    throttled429: left * throttled429,
  };
}

/** The evidence about a provider in a span. */
interface Weighed {
  /** The logarithm of a likelihood ratio: that the provider works again, divided by that it still fails. */
  readonly logOdds: number;
  /** The places that failed before the span. */
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
 * Estimates the probability 0..1 that a payment fails, from the weighted outcomes before the span. The estimate is
 * shrunk towards the share of a working provider, because two failures are not an outage. Failures that were forgotten
 * early count here, because otherwise forgetting would erase its own evidence.
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
