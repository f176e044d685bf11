import type { ProviderId } from "../vocabulary/decision-request.js";
import type { PaymentMethod } from "../vocabulary/vocabulary.js";
import { incidentEffect, MOCK_TIMEOUT_MS, type Incident, type Probe } from "./incident.js";
import { HEALTH_LIMITS } from "./limits.js";
import { roundTo6 } from "../vocabulary/rounding.js";
import { hashText, mix32, uniform } from "../statistics/seeded-hash.js";
import { segmentKey } from "./snapshot.js";
import type { SampleKind } from "./window.js";

/** The behaviour of a mock segment when nothing is wrong. Rates are fractions of all its attempts. */
interface MockProfile {
  medianLatencyMs: number;
  timeoutRate: number;
  error5xxRate: number;
  throttle429Rate: number;
  hardDeclineRate: number;
  /** Approvals divided by all attempts except hard declines, like `approval_rate`. */
  approvalRate: number;
  webhookLagSeconds: number;
}

/**
 * The tier of the provider at each position in PROVIDERS. The tiers repeat after the fifth provider. They differ in
 * their strengths, as real providers do.
 */
const PROVIDER_TIERS = [
  { approvalRate: 0.945, medianLatencyMs: 180 },
  { approvalRate: 0.925, medianLatencyMs: 260 },
  { approvalRate: 0.905, medianLatencyMs: 340 },
  { approvalRate: 0.935, medianLatencyMs: 420 },
  { approvalRate: 0.885, medianLatencyMs: 230 },
] as const;

const METHOD_TRAITS = {
  card: { approvalShift: 0, latencyFactor: 1 },
  wallet: { approvalShift: 0.012, latencyFactor: 0.8 },
  bank_transfer: { approvalShift: -0.01, latencyFactor: 1.4 },
  mobile_money: { approvalShift: -0.005, latencyFactor: 1.2 },
} as const satisfies Record<PaymentMethod, { approvalShift: number; latencyFactor: number }>;

const HARD_DECLINE_RATE = 0.02;
/**
 * Latency is log-logistic: median · (u / (1 − u))^(1/5) with u uniform in 0..1. Its 95th percentile is 1.80 medians.
 */
const LATENCY_SHAPE = 5;

/**
 * Probe outcomes are drawn in blocks of this many probes (20 s), one per stratum, so that rates stay close to the
 * profile.
 */
const STRATA = 50;
/** The step sizes coprime to 50. Multiplying the strata of a block by one of them permutes the strata. */
const STRATUM_STEPS = Array.from({ length: STRATA }, (_, step) => step).filter(
  (s) => s % 2 !== 0 && s % 5 !== 0,
);

const DRAW = {
  phase: 1,
  approval: 2,
  latency: 3,
  timeout: 4,
  error: 5,
  throttle: 6,
  lag: 7,
  block: 8,
} as const;

/**
 * A deterministic mock of one provider × method × currency. Each probe depends only on the seed, the segment and the
 * probe's index in absolute time. Its result is therefore the same for every caller and every call (HLTH-6).
 */
export class MockSegment {
  readonly profile: MockProfile;
  private readonly hash: number;
  /** The offset that spreads the segments' probes over the probe period. */
  private readonly phaseMs: number;

  constructor(
    seed: number,
    readonly provider: ProviderId,
    providerPosition: number,
    readonly paymentMethod: PaymentMethod,
    readonly currency: string,
  ) {
    this.hash = hashText(seed, segmentKey(provider, paymentMethod, currency));
    this.phaseMs = Math.floor(uniform(this.hash, DRAW.phase) * HEALTH_LIMITS.probePeriodMs);
    this.profile = mockProfile(this.hash, providerPosition, paymentMethod);
  }

  /** The index of the first probe at or after `atMs`. */
  firstProbeAt(atMs: number): number {
    return Math.ceil((atMs - this.phaseMs) / HEALTH_LIMITS.probePeriodMs);
  }

  /** The time of a probe, in Unix milliseconds. */
  probeAtMs(index: number): number {
    return index * HEALTH_LIMITS.probePeriodMs + this.phaseMs;
  }

  /** The result of a probe, including the effect of current incidents. */
  probe(index: number, incidents: readonly Incident[]): Probe {
    const probeHash = mix32(this.hash ^ mix32(index));
    const kind = this.outcome(index, probeHash);
    const latencyMs = kind === "timeout" ? MOCK_TIMEOUT_MS : this.latencyMs(probeHash);
    const usual: Probe = { kind, latencyMs };
    return incidents.length === 0
      ? usual
      : incidentEffect(usual, incidents, this, this.probeAtMs(index), probeHash);
  }

  private latencyMs(probeHash: number): number {
    const rank = uniform(probeHash, DRAW.latency);
    return this.profile.medianLatencyMs * (rank / (1 - rank)) ** (1 / LATENCY_SHAPE);
  }

  private outcome(index: number, probeHash: number): SampleKind {
    const block = Math.floor(index / STRATA);
    const blockHash = mix32(this.hash ^ mix32(block ^ (DRAW.block << 24)));
    const multiplier = STRATUM_STEPS[blockHash % STRATUM_STEPS.length] as number;
    const offset = (blockHash >>> 8) % STRATA;
    const stratum = ((index - block * STRATA) * multiplier + offset) % STRATA;
    let left = (stratum + uniform(probeHash, DRAW.approval)) / STRATA;

    const { profile } = this;
    if ((left -= profile.timeoutRate) < 0) return "timeout";
    if ((left -= profile.error5xxRate) < 0) return "error_5xx";
    if ((left -= profile.throttle429Rate) < 0) return "throttled_429";
    if ((left -= profile.hardDeclineRate) < 0) return "hard_declined";
    return left < profile.approvalRate * (1 - profile.hardDeclineRate) ? "approved" : "soft_declined";
  }
}

function mockProfile(hash: number, providerPosition: number, paymentMethod: PaymentMethod): MockProfile {
  const tier = PROVIDER_TIERS[providerPosition % PROVIDER_TIERS.length] as (typeof PROVIDER_TIERS)[number];
  const method = METHOD_TRAITS[paymentMethod];
  const between = (draw: number, low: number, high: number): number =>
    low + (high - low) * uniform(hash, draw);
  return {
    medianLatencyMs: Math.round(
      tier.medianLatencyMs * method.latencyFactor * between(DRAW.latency, 0.85, 1.15),
    ),
    timeoutRate: roundTo6(between(DRAW.timeout, 0.0005, 0.002)),
    error5xxRate: roundTo6(between(DRAW.error, 0.0003, 0.001)),
    throttle429Rate: roundTo6(between(DRAW.throttle, 0.0002, 0.0006)),
    hardDeclineRate: HARD_DECLINE_RATE,
    approvalRate: roundTo6(tier.approvalRate + method.approvalShift + between(DRAW.approval, -0.015, 0.015)),
    webhookLagSeconds: Math.round(between(DRAW.lag, 2, 20)),
  };
}
