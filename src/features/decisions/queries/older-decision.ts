import { EVERY_DECISION, type DecisionScope } from "../../../domain/vocabulary/decision-scope.js";
import { idToHex } from "../../../domain/ids/ids.js";
import {
  OUTCOMES,
  TECHNICAL_FAILURE_TYPES,
  type Outcome,
  type TechnicalFailureType,
} from "../../../domain/vocabulary/vocabulary.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";
import { nextIdHex, type Span } from "./id-spans.js";
import { reviewOf, timeOfUs, REVIEW_COLUMNS } from "./older-page.js";
import { inOrder, inSpan, olderConditions, olderPart, ONCE, type OlderSpan } from "./older-rows.js";
import type { StoredDecision, StoredOutcome } from "./stored-feedback.js";

function spanOfId(decisionId: string): Span {
  const low = idToHex(decisionId);
  return { low, high: nextIdHex(low) };
}

/** The merchant of a decision that only the older log has. */
export async function findOlderMerchant(
  client: TenantConnection,
  scope: DecisionScope,
  decisionId: string,
): Promise<string | null> {
  const span = olderPart(client, scope, spanOfId(decisionId));
  if (span === null) return null;
  const [row] = await span.older.rows<{ merchant_id: string }>(
    `select merchant_id from decisions where ${inSpan(span)} limit 1`,
  );
  return row?.merchant_id ?? null;
}

/** The reason codes of the newest decisions of the older log. */
export async function findOlderReasonCodes(
  span: OlderSpan,
  scope: DecisionScope,
  limit: number,
): Promise<string[][]> {
  const { text, texts } = olderConditions(scope, EVERY_DECISION, span);
  const rows = await span.older.rows<{ reason_codes: string[] }>(
    `select reason_codes from decisions where ${text} ${inOrder("older")} ${ONCE} limit ${limit}`,
    texts,
  );
  return rows.map(({ reason_codes }) => reason_codes);
}

type Numeric = string | number;

interface DetailRow {
  merchant_id: string;
  document: string;
}

interface OutcomeRow {
  outcome: number;
  technical_failure_type: number | null;
  provider_used: string | null;
  provider_reason_code: string | null;
  provider_latency_ms: Numeric | null;
  amount_minor: Numeric | null;
  currency: string | null;
  reported_at_us: Numeric;
  attempted_at_us: Numeric | null;
}

/** CH-13: a decision that only the older log has, with its outcome and review. */
export async function findOlderDecision(
  client: TenantConnection,
  scope: OlderSpan["scope"],
  decisionId: string,
): Promise<StoredDecision | null> {
  const span = olderPart(client, scope, spanOfId(decisionId));
  if (span === null) return null;
  const { older } = span;
  const [decision] = await older.rows<DetailRow>(
    `select merchant_id, document from decisions where ${inSpan(span)} limit 1`,
  );
  if (decision === undefined) return null;
  const [outcome] = await older.rows<OutcomeRow>(
    `select outcome, technical_failure_type, provider_used, provider_reason_code, provider_latency_ms, amount_minor,
       currency, reported_at_us, attempted_at_us
     from outcomes final where ${inSpan(span)}`,
  );
  const [review] = await older.rows<Parameters<typeof reviewOf>[0]>(
    `select ${REVIEW_COLUMNS} from reviews final where ${inSpan(span)}`,
  );
  return {
    merchantId: decision.merchant_id,
    doc: decision.document,
    outcome: outcome === undefined ? null : outcomeOf(outcome),
    review: review === undefined ? null : reviewOf(review),
  };
}

function outcomeOf(row: OutcomeRow): StoredOutcome {
  const { technical_failure_type: failure, attempted_at_us: attemptedUs } = row;
  return {
    outcome: OUTCOMES[row.outcome] as Outcome,
    providerUsed: row.provider_used,
    providerLatencyMs: numberOrNull(row.provider_latency_ms),
    providerReasonCode: row.provider_reason_code,
    technicalFailureType:
      failure === null ? null : (TECHNICAL_FAILURE_TYPES[failure] as TechnicalFailureType),
    amountMinor: numberOrNull(row.amount_minor),
    currency: row.currency,
    reportedAt: timeOfUs(row.reported_at_us),
    createdAt: attemptedUs === null ? null : timeOfUs(attemptedUs),
  };
}

const numberOrNull = (value: Numeric | null): number | null => (value === null ? null : Number(value));
