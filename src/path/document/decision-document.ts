import type { Decision } from "../../domain/decision/decision.js";
import type { RecordedDecision } from "../../domain/decision/recorded-decision.js";
import type { Seen } from "../../domain/decision/seen.js";
import { rebuildView, recordGroup, type RecordedGroup } from "../../domain/health/recorded-group.js";
import type { HealthView } from "../../domain/health/snapshot.js";
import { LIST_PRICES_NAME } from "../../domain/pricing/list-prices.js";
import type { ProviderId } from "../../domain/vocabulary/decision-request.js";
import { inOnePiece } from "./json-text.js";
import { tableOf } from "../../domain/vocabulary/table-of.js";
import { DECISION_MODES, HEALTH_STATES, type HealthState } from "../../domain/vocabulary/vocabulary.js";
import type { ExclusionReason, ProviderEvaluation } from "../../domain/decision/evaluation.js";
import type { CostComponents, ProviderEvaluationBody } from "../../domain/decision/evaluation-bodies.js";
import { SCORE_TERMS, scoreComponents } from "../../domain/decision/score-terms.js";
import { shownPrice } from "../../domain/decision/shown-cost.js";
import type { PricingSource } from "../../domain/pricing/pricing-view.js";
import { roundTo6 } from "../../domain/vocabulary/rounding.js";
import { piecesOf } from "./segment-pieces.js";
import { createHash } from "node:crypto";
import { TUNING } from "../../domain/vocabulary/tuning.js";

/*
 * A decision is stored in the journal and in PostgreSQL as two texts: its document, and the health group that the
 * document names. Only this module knows their form. Each writer stands before its reader.
 */

/** The document as JSON. `request` is the body as it was sent, and `response` is the reply's text. */
interface StoredDocument extends Omit<RecordedDecision, "evaluations"> {
  evaluations: StoredEvaluation[];
}

/**
 * Writes the document in parts, which follow each other without a gap. Joining them would copy the text, so the journal
 * writes them one by one.
 */
export function writeDocument(
  request: string,
  reply: string,
  { evaluations, providerHealthSource }: Decision,
  seen: Seen,
): readonly string[] {
  return [
    '{"request":',
    request,
    ',"response":',
    reply,
    `,"evaluations":${writeEvaluations(evaluations)}`,
    `,"provider_health_source":"${providerHealthSource}","seen":${writeSeen(seen)}}`,
  ];
}

/** Parses a document. Throws SyntaxError if the text is not JSON. */
export function readDocument(text: string): RecordedDecision {
  const { evaluations, ...document } = JSON.parse(text) as StoredDocument;
  return { ...document, evaluations: readEvaluations(evaluations) };
}

/** The text that follows the reply's own reason codes. The codes of the risk stand earlier in the reply. */
const AFTER_CODES = ',"decision_latency_ms":';
const BEFORE_CODES = '"reason_codes":';

/**
 * Returns a decision's own reason codes, as JSON text. It cuts them out, because parsing the whole document takes ten
 * times as long. Neither mark can occur inside a JSON string, because strings escape quotes. The last AFTER_CODES, and
 * the last BEFORE_CODES before it, are the reply's.
 */
export function readReasonCodes(document: string): string {
  const end = document.lastIndexOf(AFTER_CODES);
  const start = end === -1 ? -1 : document.lastIndexOf(BEFORE_CODES, end);
  if (start === -1) return JSON.stringify((JSON.parse(document) as StoredDocument).response.reason_codes);
  return document.slice(start + BEFORE_CODES.length, end);
}

/** Writes the same text as `JSON.stringify(seen)`, but faster. */
export function writeSeen(seen: Seen): string {
  const { risk_block_threshold, normal_amount_max_minor, default_decision_mode, pricing, health, retry } =
    seen;
  return (
    `{"risk_block_threshold":${risk_block_threshold}` +
    `,"normal_amount_max_minor":${normal_amount_max_minor}` +
    DEFAULT_MODES[default_decision_mode] +
    `${pricing === LIST_PRICES_NAME ? LIST_PRICES_JSON : JSON.stringify(pricing)},"health":"${health}"` +
    (retry === undefined ? "}" : `,"retry":${JSON.stringify(retry)}}`)
  );
}

const DEFAULT_MODES = tableOf(DECISION_MODES, (mode) =>
  inOnePiece(',"default_decision_mode":"', mode, '","pricing":'),
);
const LIST_PRICES_JSON = JSON.stringify(LIST_PRICES_NAME);

/**
 * Writes the health that `view` can give to a decision on `paymentMethod` and `currency`. Equal groups give equal
 * texts, and JSON keeps every number exactly.
 */
export function writeHealth(
  view: HealthView,
  providers: readonly ProviderId[],
  paymentMethod: string,
  currency: string,
): string {
  return JSON.stringify(recordGroup(view, providers, paymentMethod, currency));
}

/** Parses recorded health into a view with the given `version`. Throws SyntaxError if the text is not JSON. */
export function readHealth(version: string, text: string): HealthView {
  return rebuildView(version, JSON.parse(text) as RecordedGroup);
}

type StoredCost = [
  costMinor: number,
  bps: number,
  source: PricingSource,
  approvalProbability: number,
  /** Present if a `max_cost` matched. */
  costLimitChecked?: boolean,
];

const LIMIT_CHECKED = 4;

type PointsOf<Rows extends readonly unknown[]> = { [At in keyof Rows]: number };

/** The stored form of one evaluation. It has no field names, so it takes a third of the bytes. */
export type StoredEvaluation = [
  provider: string,
  routeScore: number,
  healthScore: number,
  /** Position in HEALTH_STATES. */
  healthState: number,
  exclusionReason: ExclusionReason | null,
  ...components: [
    /** The points of SCORE_TERMS. */
    ...PointsOf<typeof SCORE_TERMS>,
    /** Present on deterministic-v2. */
    cost?: StoredCost,
  ],
];

/** Writes a StoredEvaluation[] as JSON. Most evaluations are ready pieces of their segments. */
export function writeEvaluations(evaluations: readonly ProviderEvaluation[]): string {
  let json = "";
  for (const evaluation of evaluations) {
    const { segment, exclusionReason, routeScore, preferenceBoost, quote } = evaluation;
    const pieces = piecesOf(segment);
    if (exclusionReason === null && preferenceBoost === 0 && quote === null) {
      json += json === "" ? `[${pieces.evaluation}` : pieces.nextEvaluation;
      continue;
    }
    json += json === "" ? "[" : ",";
    json += `[${pieces.provider},`;
    json += preferenceBoost === 0 ? pieces.routeScore : routeScore;
    json += pieces.evaluationHealth;
    json += exclusionReason === null ? "null," : `"${exclusionReason}",`;
    json += pieces.evaluationTerms;
    json += `,${preferenceBoost}`;
    if (quote !== null) {
      const { estimated_cost_minor, effective_bps, pricing_source } = quote;
      json += `,[${estimated_cost_minor},${effective_bps},"${pricing_source}"`;
      json += `,${roundTo6(segment.approvalProbability)}`;
      const { costLimitChecked } = evaluation;
      json += costLimitChecked === null ? "]" : `,${costLimitChecked}]`;
    }
    json += "]";
  }
  return json === "" ? "[]" : `${json}]`;
}

/** Converts stored evaluations to the form that reads show. */
export function readEvaluations(stored: readonly StoredEvaluation[]): ProviderEvaluationBody[] {
  return stored.map(([provider, routeScore, healthScore, state, exclusionReason, ...components]) => {
    const points = components.slice(0, SCORE_TERMS.length) as number[];
    const cost = components[SCORE_TERMS.length];
    const limitChecked = cost?.[LIMIT_CHECKED];
    return {
      provider,
      eligible: exclusionReason === null,
      route_score: routeScore,
      health_score: healthScore,
      health_state: HEALTH_STATES[state] as HealthState,
      exclusion_reason: exclusionReason,
      ...(limitChecked === undefined ? {} : { cost_limit_checked: limitChecked }),
      components: {
        ...scoreComponents(points.slice(0, -1), points.at(-1) as number),
        ...(cost === undefined ? {} : readCost(cost)),
      },
    };
  });
}

function readCost([costMinor, bps, source, approvalProbability]: StoredCost): CostComponents {
  return {
    ...shownPrice({ estimated_cost_minor: costMinor, effective_bps: bps, pricing_source: source }),
    pricing_source: source,
    approval_probability: approvalProbability,
  };
}

/** The health that a decision used, in its journalled form. Decisions with equal health share it. */
export interface RecordedHealth {
  /** The first 16 bytes of the SHA-256 of `content`. */
  readonly hash: Buffer;
  /** What `writeHealth` returned. */
  readonly content: string;
  /** `hash` as base64url. */
  readonly name: string;
  /** True if this thread has committed it to the journal. */
  journalled: boolean;
}

export interface HealthRecorder {
  /** All configured providers. */
  readonly providers: readonly ProviderId[];
  /**
   * Call it before each batch. RET-16: at the start of a day it forgets which groups are journalled, so that PostgreSQL
   * learns on which day decisions last used a group.
   */
  begin(nowMs: number): void;
  /** The snapshots of `view` for a payment method and currency. They are hashed only one time for each view. */
  of(view: HealthView, paymentMethod: string, currency: string): RecordedHealth;
}

/** Half of a SHA-256 suffices to name a group, because nobody outside the service can choose a group's content. */
const HEALTH_HASH_BYTES = 16;

const DAY_MS = 86_400_000;

/** Remembers which groups are journalled, so that each thread journals a group that is in use only once a day. */
export function createHealthRecorder(providers: readonly ProviderId[]): HealthRecorder {
  let byView = new WeakMap<HealthView, Map<string, Map<string, RecordedHealth>>>();
  let day = 0;
  const byName = new Map<string, RecordedHealth>();

  const record = (view: HealthView, paymentMethod: string, currency: string): RecordedHealth => {
    const content = writeHealth(view, providers, paymentMethod, currency);
    const hash = createHash("sha256").update(content).digest().subarray(0, HEALTH_HASH_BYTES);
    const name = hash.toString("base64url");
    let recorded = byName.get(name);
    if (recorded === undefined) {
      recorded = { name, hash, content, journalled: false };
      // A group that is forgotten here is journalled again. PostgreSQL stores it only one time.
      if (byName.size >= TUNING.healthGroupsRememberedMax) byName.clear();
      byName.set(name, recorded);
    }
    return recorded;
  };

  return {
    providers,
    begin(nowMs) {
      const today = Math.floor(nowMs / DAY_MS);
      if (today === day) return;
      day = today;
      byName.clear();
      byView = new WeakMap();
    },
    of(view, paymentMethod, currency) {
      let byCurrency = byView.get(view);
      if (byCurrency === undefined) byView.set(view, (byCurrency = new Map()));
      let byMethod = byCurrency.get(currency);
      if (byMethod === undefined) byCurrency.set(currency, (byMethod = new Map()));
      let recorded = byMethod.get(paymentMethod);
      if (recorded === undefined) {
        recorded = record(view, paymentMethod, currency);
        byMethod.set(paymentMethod, recorded);
      }
      return recorded;
    },
  };
}
