import type { RiskSignals, Transaction } from "../vocabulary/decision-request.js";
import type {
  CustomerType,
  RecommendedAction,
  ReportedRiskBand,
  RiskBand,
} from "../vocabulary/vocabulary.js";

/** RES-6, `risk`. It only advises: no instruction depends on it, unless a condition of a rule names it. */
export interface Risk {
  /** Integer 0..100. */
  readonly score: number;
  readonly band: RiskBand;
  readonly recommendedAction: RecommendedAction;
  readonly reasonCodes: readonly string[];
}

export interface RiskInput {
  readonly transaction: Transaction;
  readonly signals: RiskSignals;
  /**
   * The merchant's own 99th percentile amount in the transaction's currency, in minor units. Null if it is not known.
   */
  readonly normalAmountMaxMinor: number | null;
}

// RISK-1 to RISK-13 state every number below.
const BASE_POINTS = 10;
const CUSTOMER_POINTS = { guest: 15, new: 10, returning: -5 } as const satisfies Record<CustomerType, number>;
const DEVICE_POINTS = { low: 0, medium: 10, high: 25 } as const satisfies Record<ReportedRiskBand, number>;
const LEVEL_POINTS = { low: 0, medium: 15, high: 35 } as const satisfies Record<ReportedRiskBand, number>;

/** The highest threshold comes first. The first threshold that a value reaches gives the points. */
type Steps = readonly { readonly atLeast: number; readonly points: number }[];
const VELOCITY_10M_STEPS: Steps = [
  { atLeast: 10, points: 35 },
  { atLeast: 5, points: 20 },
  { atLeast: 3, points: 10 },
];
const VELOCITY_1H_STEPS: Steps = [
  { atLeast: 20, points: 25 },
  { atLeast: 12, points: 15 },
  { atLeast: 6, points: 5 },
];
const DECLINE_SHARE_STEPS: Steps = [
  { atLeast: 0.8, points: 20 },
  { atLeast: 0.5, points: 10 },
];
const PRIOR_SUCCESS_STEPS: Steps = [
  { atLeast: 10, points: -15 },
  { atLeast: 3, points: -10 },
  { atLeast: 1, points: -5 },
];
const DECLINE_SHARE_ATTEMPTS_MIN = 3;
const FRESH_ORDER_SECONDS = 10;
const FRESH_ORDER_POINTS = 10;
const COUNTRY_MISMATCH_POINTS = 15;
const SUPPLIED_ELEVATED_MIN = 65;

interface Band {
  readonly atLeast: number;
  readonly band: RiskBand;
  readonly recommendedAction: RecommendedAction;
  readonly code: string;
}
const BANDS: readonly [Band, Band, Band, Band] = [
  { atLeast: 85, band: "extreme", recommendedAction: "block_review", code: "RISK_HIGH_BLOCK_REVIEW" },
  { atLeast: 65, band: "high", recommendedAction: "block_review", code: "RISK_HIGH_BLOCK_REVIEW" },
  { atLeast: 40, band: "medium", recommendedAction: "step_up", code: "RISK_ELEVATED" },
  { atLeast: 0, band: "low", recommendedAction: "route", code: "RISK_ACCEPTABLE" },
];

/**
 * The codes other than the code of the band, in the order in which they are reported. A bit mask over this list stands
 * for a set of them.
 */
const EXTRA_CODES = [
  "NORMAL_AMOUNT_FOR_MERCHANT",
  "RETURNING_CUSTOMER",
  "PRIOR_SUCCESSFUL_PAYMENTS",
  "MERCHANT_SUPPLIED_ELEVATED_RISK",
] as const;
const NORMAL_AMOUNT = 1;
const RETURNING = 2;
const PRIOR_SUCCESS = 4;
const SUPPLIED_ELEVATED = 8;

const SCORE_MAX = 100;

function makeRisk(score: number, extraCodes: number): Risk {
  const { band, recommendedAction, code } = bandOf(score);
  const reasonCodes = [code, ...EXTRA_CODES.filter((_code, bit) => (extraCodes & (1 << bit)) !== 0)];
  return { score, band, recommendedAction, reasonCodes };
}

/** Indexed by score and extra codes. Each of the 1616 possible risks is created at its first use, and then reused. */
const RISKS: (Risk | undefined)[] = Array.from({ length: (SCORE_MAX + 1) << EXTRA_CODES.length });

function riskOf(score: number, extraCodes: number): Risk {
  return (RISKS[(score << EXTRA_CODES.length) | extraCodes] ??= makeRisk(score, extraCodes));
}

function pointsFor(value: number | undefined, steps: Steps): number {
  if (value === undefined) return 0;
  for (const { atLeast, points } of steps) if (value >= atLeast) return points;
  return 0;
}

/** Absent counts are 0. A share of fewer than three attempts is no evidence. */
function declineSharePoints(declines: number, successes: number): number {
  const attempts = declines + successes;
  return attempts < DECLINE_SHARE_ATTEMPTS_MIN ? 0 : pointsFor(declines / attempts, DECLINE_SHARE_STEPS);
}

function bandOf(score: number): Band {
  for (const band of BANDS) if (score >= band.atLeast) return band;
  return BANDS[3];
}

/** The band of a score 0..100, by RISK-10. */
export function riskBandOf(score: number): RiskBand {
  return bandOf(score).band;
}

/** RISK-9: the advisory risk of one request. */
export function assessRisk({ transaction, signals, normalAmountMaxMinor }: RiskInput): Risk {
  const customer = transaction.customer_type;
  const successes = signals.previous_success_count ?? 0;
  const supplied = signals.merchant_supplied_risk_score;

  const sum =
    BASE_POINTS +
    (customer === undefined ? 0 : CUSTOMER_POINTS[customer]) +
    Math.max(
      pointsFor(signals.velocity_count_10m, VELOCITY_10M_STEPS),
      pointsFor(signals.velocity_count_1h, VELOCITY_1H_STEPS),
    ) +
    declineSharePoints(signals.previous_decline_count ?? 0, successes) +
    pointsFor(successes, PRIOR_SUCCESS_STEPS) +
    (signals.order_age_seconds !== undefined && signals.order_age_seconds < FRESH_ORDER_SECONDS
      ? FRESH_ORDER_POINTS
      : 0) +
    (signals.device_risk_band === undefined ? 0 : DEVICE_POINTS[signals.device_risk_band]) +
    (signals.ip_country_match === false ? COUNTRY_MISMATCH_POINTS : 0) +
    (transaction.risk_level === undefined ? 0 : LEVEL_POINTS[transaction.risk_level]);

  const score = Math.min(SCORE_MAX, Math.max(0, sum, transaction.risk_score ?? 0, supplied ?? 0));
  const extraCodes =
    (normalAmountMaxMinor !== null && transaction.amount <= normalAmountMaxMinor ? NORMAL_AMOUNT : 0) |
    (customer === "returning" ? RETURNING : 0) |
    (successes >= 1 ? PRIOR_SUCCESS : 0) |
    (supplied !== undefined && supplied >= SUPPLIED_ELEVATED_MIN ? SUPPLIED_ELEVATED : 0);

  return riskOf(score, extraCodes);
}
