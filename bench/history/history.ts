import { decide } from "../../src/domain/decision/decide.js";
import type { Decision } from "../../src/domain/decision/decision.js";
import { seenBy } from "../../src/domain/decision/seen.js";
import { writeDocument, createHealthRecorder } from "../../src/path/document/decision-document.js";
import { writeReply } from "../../src/path/document/reply.js";
import type { CostRow } from "../../src/path/writer/copy/cost-deltas.js";
import type { DecisionRow } from "../../src/path/writer/copy/decision-row.js";
import type { WriteBatch, HealthGroupRow } from "../../src/path/writer/copy/batch-steps.js";
import { previousOutcome } from "../../src/domain/outcomes/normalize-outcome.js";
import type { OutcomeRow } from "../../src/path/writer/copy/outcome-row.js";
import type { RetryRow } from "../../src/path/writer/copy/retry-batch.js";
import { compareCosts } from "../../src/domain/pricing/cost-comparison.js";
import { ByteRange } from "../../src/path/journal/decision-record.js";
import type { DecisionRequest } from "../../src/domain/vocabulary/decision-request.js";
import { createIdGenerator } from "../../src/domain/ids/ids.js";
import {
  ACTIONS,
  CARD_NETWORKS,
  DECISION_MODES,
  MODES,
  OUTCOMES,
  PAYMENT_METHODS,
  RISK_BANDS,
  type Mode,
} from "../../src/domain/vocabulary/vocabulary.js";
import { createRandom, type Random } from "../client/random.js";
import { createTraffic } from "../client/traffic.js";
import { createEngineContext } from "./engine-context.js";

export interface HistoryOptions {
  seed: number;
  workspaceId: string;
  mode: Mode;
  merchants: readonly string[];
  providers: readonly string[];
  decisions: number;
  /** Unix milliseconds. The decisions are spread evenly from `fromMs` to `toMs`. */
  fromMs: number;
  toMs: number;
}

/** Health changes each second. A busy node makes this many decisions in a second. */
const HEALTH_DECISIONS = 250;
const OUTCOME_SHARE = 0.8;
/** The weights are in the order of OUTCOMES. */
const OUTCOME_WEIGHTS = [82, 9, 3, 1.5, 1.5, 0.5, 1, 1, 0.5];
const REPORT_DELAY_MS_MAX = 5 * 60_000;

/**
 * The past of a workspace in batches of `batchDecisions`, oldest first. The real engine decides requests of
 * bench/client/traffic.ts. Four in five decisions have an outcome, mostly on the provider that was recommended.
 */
export function* createHistory(options: HistoryOptions, batchDecisions: number): Generator<WriteBatch> {
  const { seed, decisions, fromMs, toMs } = options;
  const random = createRandom(seed);
  const ids = createIdGenerator(() => Math.floor(random.next() * 2 ** 32));
  const traffic = createTraffic(options);
  const health = createHealthRecorder(options.providers);
  let context = createEngineContext(options.providers, random);
  const mode = MODES.indexOf(options.mode);
  for (let made = 0; made < decisions;) {
    const batch = {
      decisions: [] as DecisionRow[],
      outcomes: [] as OutcomeRow[],
      healthGroups: [] as HealthGroupRow[],
      costs: [] as CostRow[],
      retries: [] as RetryRow[],
    };
    for (const end = Math.min(decisions, made + batchDecisions); made < end; made++) {
      const nowMs = Math.floor(fromMs + ((toMs - fromMs) * made) / decisions);
      const request = traffic.next();
      const decisionId = `dec_${ids.next(nowMs)}`;
      if (made % HEALTH_DECISIONS === 0) context = createEngineContext(options.providers, random);
      const decision = decide({ request, context, mode: options.mode, decisionId, nowMs });
      const { transaction } = request;
      const healthRecord = health.of(context.health, transaction.payment_method, transaction.currency);
      if (!healthRecord.journalled) {
        const { hash, content } = healthRecord;
        batch.healthGroups.push({ hash: ByteRange.of(hash), content: ByteRange.of(Buffer.from(content)) });
        healthRecord.journalled = true;
      }
      const latencyMs = latency(random);
      const seen = seenBy(context, transaction, decision.evaluations, options.providers, healthRecord.name);
      const reply = writeReply(decision, latencyMs);
      const { route, action } = decision.instruction;
      const row: DecisionRow = {
        workspaceId: options.workspaceId,
        decisionId,
        mode,
        decisionMode: DECISION_MODES.indexOf(decision.decisionMode),
        action: ACTIONS.indexOf(action),
        paymentMethod: PAYMENT_METHODS.indexOf(request.transaction.payment_method),
        country: request.transaction.country,
        cardNetwork:
          request.transaction.card_network === undefined
            ? null
            : CARD_NETWORKS.indexOf(request.transaction.card_network),
        riskBand: RISK_BANDS.indexOf(decision.risk.band),
        merchantId: request.merchant_id,
        orderId: request.order_id,
        currency: request.transaction.currency,
        amountMinor: request.transaction.amount,
        latencyMs,
        primaryProvider: route?.primaryProvider ?? null,
        fallbackProvider: route?.fallbackProvider ?? null,
        doc: Buffer.from(writeDocument(JSON.stringify(request), reply, decision, seen).join("")),
      };
      batch.decisions.push(row);
      batch.costs.push(...costOf(row, decision));
      batch.retries.push(...retryOf(options.workspaceId, decisionId, mode, request));
      const isQueued = action === "hold" && random.chance(0.5);
      if (route !== null && !isQueued && random.chance(OUTCOME_SHARE)) {
        batch.outcomes.push(outcomeOf(row, nowMs, random, options.providers));
      }
    }
    yield batch;
  }
}

function costOf(row: DecisionRow, { model, evaluations }: Decision): CostRow[] {
  const comparison = compareCosts(
    model.price?.quote ?? null,
    evaluations.map(({ quote }) => quote),
  );
  if (comparison === null) return [];
  const { workspaceId, decisionId, mode, decisionMode, currency } = row;
  return [{ workspaceId, decisionId, mode, decisionMode, currency, ...comparison }];
}

function retryOf(
  workspaceId: string,
  decisionId: string,
  mode: number,
  { previous_attempt: attempt }: DecisionRequest,
): RetryRow[] {
  if (attempt === undefined) return [];
  const failedOutcome = OUTCOMES.indexOf(previousOutcome(attempt));
  return [{ workspaceId, decisionId, mode, failedProvider: attempt.provider, failedOutcome }];
}

/** Two decimals, median 0.7 ms with a long tail. */
function latency(random: Random): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  return Math.round(70 * Math.exp(0.7 * normal)) / 100;
}

function outcomeOf(
  row: DecisionRow,
  nowMs: number,
  random: Random,
  providers: readonly string[],
): OutcomeRow {
  const outcome = random.weighted(OUTCOMES, OUTCOME_WEIGHTS);
  const followed = random.chance(0.9) ? row.primaryProvider : row.fallbackProvider;
  return {
    workspaceId: row.workspaceId,
    decisionId: row.decisionId,
    mode: row.mode,
    outcome: OUTCOMES.indexOf(outcome),
    technicalFailureType: null,
    orderId: row.orderId,
    providerUsed: random.chance(0.05) ? random.pick(providers) : (followed ?? random.pick(providers)),
    providerLatencyMs: random.integer(80, 2500),
    providerReasonCode: outcome === "approved" ? null : "do_not_honor",
    amountMinor: row.amountMinor,
    currency: row.currency,
    reportedAtMs: nowMs + random.integer(500, REPORT_DELAY_MS_MAX),
    createdAtMs: null,
    merchantScope: null,
  };
}
