import type { OutcomeAlertKind } from "../../vocabulary/alert-kinds.js";
import type { ProviderId } from "../../vocabulary/decision-request.js";
import type { AlertSeverity } from "../../vocabulary/vocabulary.js";
import { HEALTH_LIMITS } from "../limits.js";
import {
  findHighShare,
  type FeltSpan,
  type FeltCounts,
  type HighShare,
  type ShareFinding,
  type ShareRule,
} from "./felt-window.js";
import type { LiveSegmentOwner } from "./live-segment.js";
import type { LiveLevel } from "./live-level.js";

/** ALRT-18: the payments that justify an alert. */
export interface AlertEvidence {
  /** The window, in Unix milliseconds. */
  fromMs: number;
  toMs: number;
  /** The number of payments in the window that count. */
  outcomes: number;
  /** Null for technical failures. */
  approved: number | null;
  /** Null for approvals. */
  failed: number | null;
  /** The share 0..1 of approvals, or of failures. */
  rate: number;
  /** The confidence bound of the rate, 0..1: an upper bound for approvals, a lower bound for failures. */
  bound: number;
  /** The usual approval rate 0..1, or null for technical failures. */
  usual: number | null;
}

/**
 * A change that a workspace's own outcomes caused. If several changes have the same kind and segment, the latest one
 * counts.
 */
export interface OutcomeAlertChange extends LiveSegmentOwner {
  kind: OutcomeAlertKind;
  /** Null for an alert about an issuer. */
  provider: ProviderId | null;
  /** The key of the level. In an issuer's alert, `*` replaces the provider. */
  segmentKey: string;
  /** Null closes the alert. */
  open: { severity: AlertSeverity; evidence: AlertEvidence } | null;
}

/** The kinds of alerts that one provider's outcomes can open. */
export type ProviderAlertKind = Exclude<OutcomeAlertKind, "issuer">;

interface AlertRule {
  samplesMin: number;
  margin: number;
  criticalMargin: number;
  of: keyof FeltCounts;
  bad: keyof FeltCounts;
}

/** The rules of ALRT-15 and ALRT-16. */
const RULES: Readonly<Record<ProviderAlertKind, AlertRule>> = {
  approval_drop: {
    samplesMin: HEALTH_LIMITS.approvalDropSamplesMin,
    margin: HEALTH_LIMITS.approvalDropMargin,
    criticalMargin: HEALTH_LIMITS.approvalDropCriticalMargin,
    of: "judged",
    bad: "declined",
  },
  technical_failures: {
    samplesMin: HEALTH_LIMITS.technicalFailuresSamplesMin,
    margin: HEALTH_LIMITS.technicalFailuresMargin,
    criticalMargin: HEALTH_LIMITS.technicalFailuresCriticalMargin,
    of: "outcomes",
    bad: "failed",
  },
};

/**
 * ALRT-15, ALRT-16: finds a window in which a level certainly has more bad outcomes than usual. The outcomes of the
 * levels in `apart` are not counted. `wasHigh` means that an alert is open. A smaller margin then suffices to keep it
 * open.
 */
export function findRaised(
  level: LiveLevel,
  kind: ProviderAlertKind,
  wasHigh: boolean,
  nowMs: number,
  apart: readonly LiveLevel[] = [],
): ShareFinding {
  const { samplesMin, margin } = RULES[kind];
  const part = wasHigh ? HEALTH_LIMITS.alertKeepsMarginPart : 1;
  return find(level, kind, { samplesMin, margin: margin * part }, nowMs, apart);
}

/**
 * True if a level certainly has fewer approvals than usual. Its payments may still be too few for an alert of its own.
 */
export function isFalling(level: LiveLevel, nowMs: number): boolean {
  const rule = { samplesMin: HEALTH_LIMITS.issuerProviderSamplesMin, margin: 0 };
  return find(level, "approval_drop", rule, nowMs, []).high !== null;
}

function find(
  level: LiveLevel,
  kind: ProviderAlertKind,
  rule: ShareRule,
  nowMs: number,
  apart: readonly LiveLevel[],
): ShareFinding {
  const { felt, lastOutcomeMs } = level.evidence;
  const { of, bad } = RULES[kind];
  // Most levels have no bad outcomes, so this shortcut saves most of the work.
  if (nowMs - lastOutcomeMs >= HEALTH_LIMITS.staleMs || !felt.hasAny(bad, nowMs)) return NOTHING_BAD;
  const usual = kind === "approval_drop" ? 1 - level.usual : 0;
  const count = (name: keyof FeltCounts, span: FeltSpan): number => {
    let rest = felt.count(name, span, nowMs);
    for (const other of apart) rest -= other.evidence.felt.count(name, span, nowMs);
    return rest;
  };
  const look: Parameters<typeof findHighShare>[0] = (span) => {
    const samples = count(of, span);
    if (samples < rule.samplesMin) return null;
    return { fromMs: felt.beginMs(span, nowMs), of: samples, bad: count(bad, span), usual };
  };
  return findHighShare(look, rule, level.wellSinceMs[kind]);
}

const NOTHING_BAD: ShareFinding = { high: null, wellSinceMs: null };

/** True if the level, without the levels of `apart`, has too few outcomes for a judgement in the span of `high`. */
export function isTooSmall(
  level: LiveLevel,
  kind: ProviderAlertKind,
  high: HighShare,
  nowMs: number,
  apart: readonly LiveLevel[],
): boolean {
  const { of, samplesMin } = RULES[kind];
  const count = ({ evidence }: LiveLevel): number => evidence.felt.count(of, high.span, nowMs);
  return count(level) - apart.reduce((sum, other) => sum + count(other), 0) < samplesMin;
}

/** Returns the content of an alert about a high share. */
export function raisedAlert(
  kind: OutcomeAlertKind,
  high: HighShare,
  toMs: number,
): { severity: AlertSeverity; evidence: AlertEvidence } {
  const { fromMs, of, bad, lower, usual } = high;
  const window = { fromMs, toMs, outcomes: of };
  if (kind === "technical_failures") {
    const evidence = { ...window, approved: null, failed: bad, rate: bad / of, bound: lower, usual: null };
    return { severity: severityOf(kind, high), evidence };
  }
  const approved = of - bad;
  return {
    severity: kind === "issuer" ? "warning" : severityOf(kind, high),
    evidence: { ...window, approved, failed: null, rate: approved / of, bound: 1 - lower, usual: 1 - usual },
  };
}

function severityOf(kind: ProviderAlertKind, { lower, usual }: HighShare): AlertSeverity {
  return lower > usual + RULES[kind].criticalMargin ? "critical" : "warning";
}
