import type { Decision } from "../../domain/decision/decision.js";
import type { RecordedDecision } from "../../domain/decision/recorded-decision.js";
import type { Seen } from "../../domain/decision/seen.js";
import { rebuildView, recordGroup, type RecordedGroup } from "../../domain/health/recorded-group.js";
import type { HealthView } from "../../domain/health/snapshot.js";
import { LIST_PRICES_NAME } from "../../domain/pricing/list-prices.js";
import type { ProviderId } from "../../domain/vocabulary/decision-request.js";
import { inOnePiece } from "../../domain/vocabulary/in-one-piece.js";
import { tableOf } from "../../domain/vocabulary/table-of.js";
import { DECISION_MODES } from "../../domain/vocabulary/vocabulary.js";
import { readEvaluations, writeEvaluations, type StoredEvaluation } from "./stored-evaluations.js";

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
