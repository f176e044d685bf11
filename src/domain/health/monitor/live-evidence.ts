import { DecayingCounts } from "../../statistics/decaying-counts.js";
import { DecayingLatencies } from "../../statistics/decaying-latencies.js";
import type { Blame } from "../../vocabulary/vocabulary.js";
import { FailureWindow } from "../failure-window.js";
import { FeltWindow } from "./felt-window.js";
import { HEALTH_LIMITS } from "../limits.js";
import type { LiveCounts } from "./live-estimate.js";
import { isTechnicalFailure, type SampleKind } from "../window.js";

/** One or more attempts that are equal in every respect. */
export interface LiveSample {
  kind: SampleKind;
  /** The party that caused a soft decline. */
  blame: Blame;
  /** The bin of src/domain/statistics/latency-histogram.ts. It is computed one time and recorded in all levels. */
  latencyBin: number;
  /** Unix milliseconds. */
  atMs: number;
  count: number;
}

/** The stored form of the evidence, from which a restarted node continues. */
export interface LearntEvidence {
  technical: number[];
  approvals: number[];
  normal: number[];
  felt: number[][];
  latencies: number[];
  lastOutcomeMs: number;
}

/** Weighted numbers of timeouts, 5xx errors and 429 refusals. */
export type ForgottenFailures = readonly [number, number, number];

/** The weighted number of declines by the party that caused them. They fade over hours. */
export type BlamedDeclines = Record<Blame, number>;

const TECHNICAL = { recent: 0, timeout: 1, error_5xx: 2, throttled_429: 3, overcome: 4 } as const;
/** The columns of `technical` in the order of `ForgottenFailures`. */
const FAILURE_COLUMNS = [TECHNICAL.timeout, TECHNICAL.error_5xx, TECHNICAL.throttled_429] as const;
const APPROVALS = {
  answered: 0,
  judged: 1,
  approved: 2,
  customer: 3,
  issuer: 4,
  excused: 5,
  overcome: 6,
} as const;
const NORMAL = { judged: 0, approved: 1 } as const;

/** The outcomes of a segment, or of one of its levels. */
export class LiveEvidence {
  readonly failures = new FailureWindow();
  readonly felt = new FeltWindow();
  /** Unix milliseconds of the newest attempt. */
  lastOutcomeMs = -Infinity;
  private readonly technical = new DecayingCounts(5, HEALTH_LIMITS.technicalHalfLifeMs);
  private readonly approvals = new DecayingCounts(7, HEALTH_LIMITS.approvalHalfLifeMs);
  private readonly normal = new DecayingCounts(2, HEALTH_LIMITS.normalHalfLifeMs);
  /** Only people read these latencies; no score uses them. A 95th percentile tells people more than a mean. */
  private readonly latencies = new DecayingLatencies(HEALTH_LIMITS.technicalHalfLifeMs);

  /** The weighted number of outcomes, as of the last `advance`. */
  get samples(): number {
    return this.approvals.of(APPROVALS.answered) + this.technicalFailures;
  }

  get blamed(): BlamedDeclines {
    const { approvals, excused } = this;
    return {
      provider: Math.max(0, this.declined - excused),
      customer: approvals.of(APPROVALS.customer),
      issuer: approvals.of(APPROVALS.issuer) + excused,
    };
  }

  /** HLTH-34: the declines that looked like the provider's fault but were caused by the issuers. */
  get excused(): number {
    return this.approvals.of(APPROVALS.excused);
  }

  /** HLTH-35: the declines of a fall that is over. */
  get overcomeDeclines(): number {
    return this.approvals.of(APPROVALS.overcome);
  }

  private get declined(): number {
    return this.approvals.of(APPROVALS.judged) - this.approvals.of(APPROVALS.approved);
  }

  /** The weighted number of all outcomes. They fade over minutes. */
  get technicalSamples(): number {
    return this.technical.of(TECHNICAL.recent);
  }

  /** The weighted number of technical failures. */
  get technicalFailures(): number {
    const { technical } = this;
    return (
      technical.of(TECHNICAL.timeout) +
      technical.of(TECHNICAL.error_5xx) +
      technical.of(TECHNICAL.throttled_429)
    );
  }

  /** HLTH-33: the 95th percentile, within 5 % as that of the probes. Null without outcomes. */
  get p95LatencyMs(): number | null {
    const p95 = this.latencies.quantile(0.95);
    return p95 === null ? null : Math.round(p95);
  }

  record({ kind, blame, latencyBin, atMs, count }: LiveSample): void {
    const recent = count * this.technical.weightAt(atMs);
    this.technical.add(TECHNICAL.recent, recent);
    if (kind === "timeout" || kind === "error_5xx" || kind === "throttled_429") {
      this.technical.add(TECHNICAL[kind], recent);
      this.felt.add(atMs, "failed", count);
    } else {
      this.recordAnswer(kind, blame, count, atMs);
    }
    this.failures.add(atMs, isTechnicalFailure(kind), count);
    this.latencies.add(latencyBin, count, atMs);
    this.lastOutcomeMs = Math.max(this.lastOutcomeMs, atMs);
  }

  /** Marks declines as excused. They still count as judged. */
  excuse(declines: number): void {
    this.approvals.add(APPROVALS.excused, declines);
  }

  /** Marks declines as overcome. A negative number takes a mark back. The declines still count as judged. */
  overcomeMore(declines: number): void {
    this.approvals.add(APPROVALS.overcome, Math.max(declines, -this.overcomeDeclines));
  }

  /** Fades the counts to `nowMs`. */
  advance(nowMs: number): void {
    this.technical.advance(nowMs);
    this.approvals.advance(nowMs);
    this.normal.advance(nowMs);
  }

  counts(): LiveCounts {
    const { technical, approvals, normal } = this;
    return {
      samples: this.samples,
      recent: technical.of(TECHNICAL.recent),
      timeouts: technical.of(TECHNICAL.timeout),
      errors5xx: technical.of(TECHNICAL.error_5xx),
      throttled429: technical.of(TECHNICAL.throttled_429),
      judged: approvals.of(APPROVALS.judged),
      approved: approvals.of(APPROVALS.approved),
      excused: Math.min(Math.max(0, this.excused), this.declined),
      overcome: Math.min(this.overcomeDeclines, Math.max(0, this.declined - Math.max(0, this.excused))),
      judgedBefore: normal.of(NORMAL.judged),
      approvedBefore: normal.of(NORMAL.approved),
    };
  }

  /** The weighted number of failures that were forgotten early. */
  get overcome(): number {
    return this.technical.of(TECHNICAL.overcome);
  }

  /**
   * Forgets a share 0..1 of the failures, in addition to their fading. Call `advance` first. Returns the forgotten
   * counts.
   */
  forgetFailures(share: number): ForgottenFailures {
    const { technical } = this;
    const timeouts = share * technical.of(TECHNICAL.timeout);
    const errors5xx = share * technical.of(TECHNICAL.error_5xx);
    const throttled429 = share * technical.of(TECHNICAL.throttled_429);
    this.leave([timeouts, errors5xx, throttled429]);
    return [timeouts, errors5xx, throttled429];
  }

  /** Subtracts failures that a lower level has forgotten, as of `nowMs`. */
  leaveOut(forgotten: ForgottenFailures, nowMs: number): void {
    this.technical.advance(nowMs);
    this.leave(forgotten);
  }

  clearFailures(): void {
    this.technical.clear();
  }

  toLearnt(): LearntEvidence {
    return {
      technical: this.technical.toJSON(),
      approvals: this.approvals.toJSON(),
      normal: this.normal.toJSON(),
      felt: this.felt.toJSON(),
      latencies: this.latencies.toJSON(),
      lastOutcomeMs: this.lastOutcomeMs,
    };
  }

  restore({ technical, approvals, normal, felt, latencies, lastOutcomeMs }: LearntEvidence): void {
    this.technical.restore(technical);
    this.approvals.restore(approvals);
    this.normal.restore(normal);
    this.felt.restore(felt);
    this.latencies.restore(latencies);
    this.lastOutcomeMs = lastOutcomeMs;
  }

  private leave(forgotten: ForgottenFailures): void {
    const { technical } = this;
    for (const [index, count] of forgotten.entries()) {
      const column = FAILURE_COLUMNS[index] as number;
      const left = Math.min(count, technical.of(column));
      technical.add(column, -left);
      technical.add(TECHNICAL.overcome, left);
      technical.add(TECHNICAL.recent, -Math.min(left, technical.of(TECHNICAL.recent)));
    }
  }

  private recordAnswer(
    kind: "approved" | "soft_declined" | "hard_declined",
    blame: Blame,
    count: number,
    atMs: number,
  ): void {
    const weighted = count * this.approvals.weightAt(atMs);
    this.approvals.add(APPROVALS.answered, weighted);
    const blamed = kind === "hard_declined" ? "issuer" : kind === "soft_declined" ? blame : "provider";
    if (blamed !== "provider") {
      this.approvals.add(APPROVALS[blamed], weighted);
      this.felt.add(atMs, "excused", count);
      return;
    }
    const normal = count * this.normal.weightAt(atMs);
    this.approvals.add(APPROVALS.judged, weighted);
    this.normal.add(NORMAL.judged, normal);
    this.felt.add(atMs, kind === "approved" ? "approved" : "declined", count);
    if (kind !== "approved") return;
    this.approvals.add(APPROVALS.approved, weighted);
    this.normal.add(NORMAL.approved, normal);
  }
}

/**
 * The counts of a part and of the whole fade in different steps, so they differ by rounding errors. A difference up to
 * this counts as 0.
 */
const ROUNDING_MAX = 1e-6;

/** Subtracts the counts of a part from the counts of the whole. */
export function without(whole: LiveCounts, part: LiveCounts): LiveCounts {
  const less = (name: keyof LiveCounts): number => {
    const rest = whole[name] - part[name];
    return rest < ROUNDING_MAX ? 0 : rest;
  };
  const [judged, approved] = [less("judged"), less("approved")];
  // In the whole and in the part, the declines limit what does not count. The rest has a limit of its own.
  const excused = Math.min(less("excused"), Math.max(0, judged - approved));
  return {
    samples: less("samples"),
    recent: less("recent"),
    timeouts: less("timeouts"),
    errors5xx: less("errors5xx"),
    throttled429: less("throttled429"),
    judged,
    approved,
    excused,
    overcome: Math.min(less("overcome"), Math.max(0, judged - approved - excused)),
    judgedBefore: less("judgedBefore"),
    approvedBefore: less("approvedBefore"),
  };
}
