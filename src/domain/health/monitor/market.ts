import type { OutcomeAlertKind } from "../../vocabulary/alert-kinds.js";
import type { ProviderId } from "../../vocabulary/decision-request.js";
import type { AlertSeverity } from "../../vocabulary/vocabulary.js";
import { HEALTH_LIMITS } from "../limits.js";
import { findHighShare, type FeltSpan, type HighShare } from "./felt-window.js";
import { addAnswers, declinesOfIssuer, noAnswers, spanAnswers, type PlaceAnswers } from "./issuer-effect.js";
import type { LiveLevel } from "./live-level.js";
import type { LiveSegment, LiveSegmentOwner } from "./live-segment.js";
import {
  findRaised,
  isTooSmall,
  raisedAlert,
  type OutcomeAlertChange,
  type ProviderAlertKind,
} from "./outcome-alert.js";

/** Stands for the provider in the segment key of an alert about all providers. */
const EVERY_PROVIDER = "*";

/** The number of alerts that a workspace and mode can still open. All of its markets share it. */
export interface AlertRoom {
  left: number;
}

/** An alert that is not yet compared with the open ones. */
interface Raised {
  kind: OutcomeAlertKind;
  provider: ProviderId | null;
  segmentKey: string;
  high: HighShare;
}

interface AnswersInPlace {
  readonly all: PlaceAnswers;
  readonly by: ReadonlyMap<LiveLevel, PlaceAnswers & { declined: number }>;
}

/**
 * All providers' segments of one payment method and currency, in the view of one workspace and mode. Losses that all
 * providers share in one place come from the issuers (HLTH-34), and open a single alert (ALRT-17).
 */
export class Market {
  private readonly segments = new Set<LiveSegment>();
  /** Keyed by kind and segment key. */
  private readonly open = new Map<string, Raised & { severity: AlertSeverity }>();
  /** The answers of each provider by place, and their sums, for the current tick. */
  private readonly answers = new Map<string, AnswersInPlace>();

  constructor(
    private readonly owner: LiveSegmentOwner,
    /** `<payment_method>:<currency>` */
    private readonly key: string,
    private readonly room: AlertRoom,
  ) {}

  get isEmpty(): boolean {
    return this.segments.size === 0;
  }

  add(segment: LiveSegment): void {
    this.segments.add(segment);
  }

  /** Removes the segment and returns the changes that close its alerts. */
  remove(segment: LiveSegment): OutcomeAlertChange[] {
    this.segments.delete(segment);
    const isOfSegment = ({ provider }: Raised): boolean => provider === segment.provider || this.isEmpty;
    return this.close(isOfSegment);
  }

  /**
   * Marks the places that are hot in `from` as hot in the other providers' segments, because one provider's outcomes
   * also tell about the issuers. Returns the segments with new marks.
   */
  spread(from: LiveSegment): LiveSegment[] {
    return [...this.segments].filter((other) => other !== from && other.tree.heatLike(from.tree));
  }

  /**
   * HLTH-34: excuses a segment's declines that the issuers caused. Without `everywhere`, only hot places are looked at.
   */
  excuse(segment: LiveSegment, everywhere: boolean, nowMs: number): void {
    if (this.segments.size < HEALTH_LIMITS.issuerProvidersMin) return;
    for (const place of segment.tree.networkPlaces(everywhere)) {
      const level = segment.tree.at(place);
      if (level === undefined) continue;
      // Most places have no loss and nothing excused, so they are skipped.
      if (lossOf(level, nowMs) <= 0 && level.evidence.excused === 0) continue;
      const { all, by } = this.answersIn(place, nowMs);
      const own = by.get(level);
      if (own === undefined) continue;
      const others = addAnswers(all, own, -1);
      segment.tree.excuse(place, declinesOfIssuer(own, others, level.usual), nowMs);
    }
  }

  /** Returns all answers in a place. They are looked up only once per tick, not once per provider. */
  private answersIn(place: string, nowMs: number): AnswersInPlace {
    let known = this.answers.get(place);
    if (known === undefined) {
      const levels = [...this.segments].flatMap((segment) => segment.tree.at(place) ?? []);
      const by = new Map(levels.map((level) => [level, answersOf(level, nowMs)]));
      const all = [...by.values()].reduce<PlaceAnswers>((sum, one) => addAnswers(sum, one, 1), noAnswers());
      this.answers.set(place, (known = { all, by }));
    }
    return known;
  }

  /** ALRT-15 to ALRT-17: compares the outcomes with the open alerts. Call it at the end of a tick. */
  assess(nowMs: number): OutcomeAlertChange[] {
    // Outcomes can arrive before the next tick, so the sums of this tick are dropped.
    this.answers.clear();
    const suspects = [...this.segments].filter(({ isSuspect }) => isSuspect);
    if (suspects.length === 0 && this.open.size === 0) return [];
    const issuers = this.findIssuers(suspects, nowMs);
    const raised = [...issuers.values()];
    for (const segment of suspects) {
      raised.push(...this.raisedBy(segment, "approval_drop", [...issuers.keys()], nowMs));
      raised.push(...this.raisedBy(segment, "technical_failures", [], nowMs));
    }
    return this.compare(raised, nowMs);
  }

  private compare(raised: readonly Raised[], nowMs: number): OutcomeAlertChange[] {
    const changes: OutcomeAlertChange[] = [];
    const still = new Set<string>();
    for (const one of raised) {
      const key = openKey(one);
      still.add(key);
      const open = raisedAlert(one.kind, one.high, nowMs);
      const known = this.open.get(key);
      if (known === undefined ? this.room.left === 0 : !isWorse(open.severity, known.severity)) continue;
      if (known === undefined) this.room.left--;
      this.open.set(key, { ...one, severity: open.severity });
      changes.push({ ...this.owner, ...named(one), open });
    }
    return [...changes, ...this.close((one) => !still.has(openKey(one)))];
  }

  private close(isOver: (one: Raised) => boolean): OutcomeAlertChange[] {
    const over = [...this.open].filter(([, one]) => isOver(one));
    for (const [key] of over) this.open.delete(key);
    this.room.left += over.length;
    return over.map(([, one]) => ({ ...this.owner, ...named(one), open: null }));
  }

  /**
   * Returns the alerts of one provider. An alert names the widest level that has fallen as a whole. If the rest of that
   * level is known to be as usual, the alert names only the part that fell. `explained` are the places whose fall
   * issuers caused.
   */
  private raisedBy(
    segment: LiveSegment,
    kind: ProviderAlertKind,
    explained: readonly string[],
    nowMs: number,
  ): Raised[] {
    const { provider } = segment;
    const issuers = explained.flatMap((place) => segment.tree.at(place) ?? []);
    const choose = (level: LiveLevel, below: readonly LiveLevel[]): readonly LiveLevel[] => {
      const high = level.raised[kind];
      if (high === null) return below;
      const apart = [...below, ...issuers.filter((issuer) => issuer.key.startsWith(`${level.key}:`))];
      const isOpen = ({ key }: LiveLevel): boolean => this.open.has(openKey({ kind, segmentKey: key }));
      if (findRaised(level, kind, isOpen(level), nowMs, apart).high !== null) return [level];
      if (below.length === 0 || below.some(isOpen)) return below;
      return isTooSmall(level, kind, high, nowMs, apart) ? [level] : below;
    };
    const named: LiveLevel[] = [];
    for (const { level, networks } of segment.tree.suspectCountries()) {
      const below = networks.filter((network) => network.raised[kind] !== null && !issuers.includes(network));
      named.push(...choose(level, below));
    }
    return choose(segment.top, named).flatMap((level) => {
      const high = level.raised[kind];
      return high === null ? [] : [{ kind, provider, segmentKey: level.key, high }];
    });
  }

  /** ALRT-17: returns, by place, the falls that all providers share. */
  private findIssuers(suspects: readonly LiveSegment[], nowMs: number): Map<string, Raised> {
    const found = new Map<string, Raised>();
    const places = new Set(suspects.flatMap((segment) => segment.tree.suspectNetworks()));
    for (const place of places) {
      const segmentKey = `${EVERY_PROVIDER}:${this.key}:${place}`;
      const wasOpen = this.open.has(openKey({ kind: "issuer", segmentKey }));
      const levels = [...this.segments].flatMap((segment) => segment.tree.at(place) ?? []);
      const high = findSharedFall(levels, wasOpen, nowMs);
      if (high !== null) found.set(place, { kind: "issuer", provider: null, segmentKey, high });
    }
    return found;
  }
}

/**
 * ALRT-17: finds a window in which approvals in a place have certainly fallen, over all providers with enough answers.
 * Each of these providers must share the fall.
 */
function findSharedFall(levels: readonly LiveLevel[], wasOpen: boolean, nowMs: number): HighShare | null {
  const { issuerProvidersMin, issuerProviderFallPart, approvalDropSamplesMin, approvalDropMargin } =
    HEALTH_LIMITS;
  const part = wasOpen ? HEALTH_LIMITS.alertKeepsMarginPart : 1;
  const rule = { samplesMin: approvalDropSamplesMin, margin: approvalDropMargin * part };
  return findHighShare((span) => {
    const answers = enoughAnswers(levels, span, nowMs);
    const [first] = answers;
    if (first === undefined || answers.length < issuerProvidersMin) return null;
    const sum = (of: (one: SpanAnswers) => number): number =>
      answers.reduce((total, one) => total + of(one), 0);
    const [of, bad] = [sum(({ judged }) => judged), sum(({ declined }) => declined)];
    const usual = sum((one) => one.judged * one.usual) / of;
    const isShared = answers.every(
      (one) => one.declined / one.judged - one.usual >= issuerProviderFallPart * (bad / of - usual),
    );
    return isShared ? { fromMs: first.fromMs, of, bad, usual } : null;
  }, rule).high;
}

interface SpanAnswers {
  fromMs: number;
  judged: number;
  declined: number;
  /** The usual share of declines, 0..1. */
  usual: number;
}

function enoughAnswers(levels: readonly LiveLevel[], span: FeltSpan, nowMs: number): SpanAnswers[] {
  return levels.flatMap(({ evidence: { felt }, usual }) => {
    const judged = felt.count("judged", span, nowMs);
    const declined = felt.count("declined", span, nowMs);
    if (judged < HEALTH_LIMITS.issuerProviderSamplesMin) return [];
    return [{ fromMs: felt.beginMs(span, nowMs), judged, declined, usual: 1 - usual }];
  });
}

function lossOf({ evidence, usual }: LiveLevel, nowMs: number): number {
  evidence.advance(nowMs);
  const { judged, approved } = evidence.counts();
  return usual * judged - approved;
}

function answersOf(level: LiveLevel, nowMs: number): PlaceAnswers & { declined: number } {
  const { evidence, usual } = level;
  evidence.advance(nowMs);
  const { judged, approved } = evidence.counts();
  const spans = spanAnswers(evidence.felt, usual, nowMs);
  return { judged, lost: usual * judged - approved, declined: judged - approved, spans };
}

function isWorse(severity: AlertSeverity, than: AlertSeverity): boolean {
  return severity === "critical" && than === "warning";
}

function openKey({ kind, segmentKey }: { kind: OutcomeAlertKind; segmentKey: string }): string {
  return `${kind}:${segmentKey}`;
}

function named({ kind, provider, segmentKey }: Raised): Pick<Raised, "kind" | "provider" | "segmentKey"> {
  return { kind, provider, segmentKey };
}
