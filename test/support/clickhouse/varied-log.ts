import { createIdGenerator } from "../../../src/domain/ids/ids.js";
import {
  ACTIONS,
  CARD_NETWORKS,
  DECISION_MODES,
  MODES,
  OUTCOMES,
  PAYMENT_METHODS,
  RISK_BANDS,
  TECHNICAL_FAILURE_TYPES,
} from "../../../src/domain/vocabulary/vocabulary.js";
import type { OutcomeRow } from "../../../src/path/writer/copy/outcome-row.js";
import { HARD_DECLINE_CODES } from "../../../src/domain/vocabulary/hard-decline-codes.js";
import type { PreviousAttempt } from "../../../src/domain/vocabulary/decision-request.js";
import { previousOutcome } from "../../../src/domain/outcomes/normalize-outcome.js";
import type { CostRow } from "../../../src/path/writer/copy/cost-deltas.js";
import type { RetryRow } from "../../../src/path/writer/copy/retry-batch.js";
import { withDocument } from "../rows/decision-documents.js";
import { decisionRow, type TextRow } from "../rows/decision-rows.js";

/** Order ids that a careless query, format or sort would change. */
const ORDERS = [
  "ördër 🚀",
  'it\'s \\ "quoted"',
  "tab\tline\nend",
  "{order_id:String}",
  "ord",
  "order_1",
  "order_12",
];
const CODES = ["RISK_ACCEPTABLE", "AMOUNT_HIGH", "PROVIDER_DEGRADED", "NO_ROUTE"];
const HARD_CODE = HARD_DECLINE_CODES[0]?.code ?? "";
const HOUR_MS = 3_600_000;

export interface VariedLogOptions {
  workspaceId: string;
  count: number;
  nowMs: number;
  /** The age of the oldest decisions. */
  ageMsMax: number;
  /** Every third decision is within an hour of this moment. */
  crowdedMs: number;
}

export interface VariedLog {
  decisions: TextRow[];
  outcomes: OutcomeRow[];
  costs: CostRow[];
  retries: RetryRow[];
}

/** Makes a log with every kind of decision and outcome, the oldest first. Equal options give equal logs. */
export function variedLog({ workspaceId, count, nowMs, ageMsMax, crowdedMs }: VariedLogOptions): VariedLog {
  let state = 7;
  const random = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0);
  const below = (end: number): number => Math.floor((random() / 2 ** 32) * end);
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const some = <T>(of: () => T): T | null => (below(3) === 0 ? null : of());
  const ids = createIdGenerator(random);
  const times = Array.from({ length: count }, (_, at) =>
    at % 3 === 0 ? crowdedMs - HOUR_MS + below(2 * HOUR_MS) : nowMs - below(ageMsMax),
  ).toSorted((a, b) => a - b);
  const retries: RetryRow[] = [];
  const decisions = times.map((timeMs, at): TextRow => {
    const changes: Partial<TextRow> = {
      workspaceId,
      decisionId: `dec_${ids.next(timeMs)}`,
      mode: MODES.indexOf(below(8) === 0 ? "test" : "live"),
      decisionMode: below(DECISION_MODES.length),
      action: below(ACTIONS.length),
      paymentMethod: below(PAYMENT_METHODS.length),
      country: one(["US", "NG", ""]),
      cardNetwork: some(() => below(CARD_NETWORKS.length)),
      riskBand: below(RISK_BANDS.length),
      merchantId: one(["merchant_a", "merchant_b"]),
      orderId: below(3) === 0 ? one(ORDERS) : `order_${at}`,
      primaryProvider: some(() => one(["provider_1", "provider_2"])),
      currency: one(["USD", "NGN", "JPY"]),
      amountMinor: below(4) === 0 ? Number.MAX_SAFE_INTEGER - below(9) : below(200_000),
      latencyMs: below(500) / 100,
    };
    const fallbackProvider = changes.primaryProvider === null ? null : some(() => "provider_3");
    const row = decisionRow({ ...changes, fallbackProvider }, timeMs);
    const whole = withDocument(row, CODES.slice(below(CODES.length)));
    if (below(4) > 0) return whole;
    const code = one([{}, { provider_reason_code: HARD_CODE }]);
    const attempt = {
      provider: "provider_1",
      outcome: one(["declined", "error", "timeout"] as const),
      ...code,
    };
    const { workspaceId: owner, decisionId, mode } = whole;
    const failedOutcome = OUTCOMES.indexOf(previousOutcome(attempt));
    retries.push({ workspaceId: owner, decisionId, mode, failedProvider: attempt.provider, failedOutcome });
    return { ...whole, doc: withAttempt(whole.doc, attempt) };
  });
  const costs = decisions.flatMap(costOf);
  const outcomes = decisions.flatMap((row, at) => (below(2) === 0 ? [] : [outcomeOf(row, nowMs + at)]));
  return { decisions, outcomes, costs, retries };

  // The writer finds a cost's decision by the identity of the id, so both rows share one id object.
  function costOf({ workspaceId: owner, decisionId, mode, decisionMode, currency }: TextRow): CostRow[] {
    if (below(3) === 0) return [];
    const costMinor = below(5000);
    return [
      {
        workspaceId: owner,
        decisionId,
        mode,
        decisionMode,
        currency,
        costMinor,
        dearestMinor: costMinor + below(900),
        firstMinor: some(() => costMinor + below(99)),
      },
    ];
  }

  function outcomeOf(
    { decisionId, mode, orderId, amountMinor, currency }: TextRow,
    reportedAtMs: number,
  ): OutcomeRow {
    return {
      workspaceId,
      decisionId,
      mode,
      orderId,
      amountMinor,
      currency,
      outcome: below(OUTCOMES.length),
      technicalFailureType: some(() => below(TECHNICAL_FAILURE_TYPES.length)),
      providerUsed: one(["provider_1", "provider_2", "provider_3"]),
      providerLatencyMs: below(4000),
      providerReasonCode: some(() => "51"),
      merchantScope: null,
      reportedAtMs,
      createdAtMs: some(() => reportedAtMs - 5000),
    };
  }
}

function withAttempt(doc: Uint8Array, attempt: PreviousAttempt): Uint8Array {
  const document = JSON.parse(Buffer.from(doc).toString()) as { request: object };
  return Buffer.from(
    JSON.stringify({ ...document, request: { ...document.request, previous_attempt: attempt } }),
  );
}
