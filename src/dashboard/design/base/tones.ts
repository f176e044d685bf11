import type {
  Action,
  AlertSeverity,
  HealthState,
  Outcome,
  RiskBand,
} from "../../../domain/vocabulary/vocabulary.js";
import type { Tone } from "./badge.js";

export const HEALTH_TONES = {
  healthy: "good",
  watch: "watch",
  degraded: "degraded",
  critical: "critical",
  unavailable: "down",
  unknown: "neutral",
} as const satisfies Record<HealthState, Tone>;

export const ACTION_TONES = {
  route: "good",
  use_default_route: "info",
  step_up: "watch",
  hold: "degraded",
  retry: "info",
  failover: "accent",
  block: "critical",
} as const satisfies Record<Action, Tone>;

export const OUTCOME_TONES = {
  approved: "good",
  soft_declined: "watch",
  hard_declined: "critical",
  technical_failed: "degraded",
  timeout: "degraded",
  rate_limited: "degraded",
  blocked: "critical",
  step_up_completed: "info",
  step_up_failed: "watch",
} as const satisfies Record<Outcome, Tone>;

export const RISK_TONES = {
  low: "good",
  medium: "watch",
  high: "degraded",
  extreme: "critical",
} as const satisfies Record<RiskBand, Tone>;

export const SEVERITY_TONES = {
  warning: "degraded",
  critical: "critical",
} as const satisfies Record<AlertSeverity, Tone>;

/** Colours for instructions as parts of a whole. They tell the parts apart without judging them. */
export const ACTION_TOKENS = {
  route: "--series-1",
  use_default_route: "--series-5",
  step_up: "--series-3",
  hold: "--series-4",
  retry: "--series-6",
  failover: "--series-2",
  block: "--series-7",
} as const satisfies Record<Action, string>;
