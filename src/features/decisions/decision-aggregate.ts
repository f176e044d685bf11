import { findPage, type PageRow } from "./queries/decision-page.js";
import { findNewestPlaces, type NewestPlaces } from "./queries/newest-places.js";
import { EVERY_DECISION, type DecisionScope } from "../../domain/vocabulary/decision-scope.js";
import { loadOverview, type Overview } from "./queries/overview.js";
import { ACTIONS, OUTCOMES, RISK_BANDS } from "../../domain/vocabulary/vocabulary.js";
import { OlderLogUnavailableError } from "../../platform/postgres/tenant-db.js";
import { listRows } from "./decision-list.js";
import type { DecisionAggregate } from "./wire/decision-report-schema.js";
import type { Json } from "../../platform/wire/json.js";
import { createDocumentReaders, type DocumentReaders } from "./document-readers.js";
import { percentile, presentCounts, rate } from "../../domain/statistics/figures.js";
import { countReasonCodes } from "./reason-codes.js";
import { type TenantConnection, type TenantDb, SNAPSHOT } from "../../platform/postgres/tenant-db.js";

export type AggregateDecisions = (scope: DecisionScope) => Promise<Json<DecisionAggregate>>;

const REASON_CODE_SAMPLE = 500;
const TOP_REASON_CODES = 20;
const RECENT_ROWS = 8;
const NEWEST = { kind: "offset", rows: 0 } as const;

interface Found extends Overview {
  /** The places of the documents whose reason codes are sampled. */
  sample: NewestPlaces;
  recent: PageRow[];
}

/**
 * AGG-1: GET /v1/decisions/aggregate. Figures cover the full history exactly, from the rollups. Reason codes are a
 * sample.
 */
export function createDecisionAggregate(
  tenants: TenantDb,
  now: () => number,
  { rowHeads, reasonCodes }: DocumentReaders = createDocumentReaders(tenants),
): AggregateDecisions {
  return async (scope) => {
    const tenant = tenants.of(scope.workspaceId);
    const found = await tenant
      .transaction((client) => findAll(client, scope), SNAPSHOT)
      .catch((error: unknown) => {
        if (!(error instanceof OlderLogUnavailableError)) throw error;
        // CH-18: without the older log, the figures stay exact, because PostgreSQL has them all. Only the samples of a
        // workspace with few recent decisions lose their older part.
        return tenant.transaction((client) => findAll({ ...client, older: undefined }, scope), SNAPSHOT);
      });
    const { places, olderCodes } = found.sample;
    const kept = await reasonCodes(scope.workspaceId, places);
    const codes = [...kept, ...olderCodes.map((some) => new Set(some))];
    const figures: Omit<DecisionAggregate, "recent" | "generated_at"> = {
      ...figuresOf(found),
      top_reason_codes: countReasonCodes(codes).slice(0, TOP_REASON_CODES),
      reason_code_sample: codes.length,
    };
    const recent = await listRows(rowHeads, scope, found.recent);
    const generatedAt = new Date(now()).toISOString();
    const head = JSON.stringify(figures).slice(0, -1);
    return `${head},"recent":${recent},"generated_at":"${generatedAt}"}` as Json<DecisionAggregate>;
  };
}

async function findAll(client: TenantConnection, scope: DecisionScope): Promise<Found> {
  const overview = await loadOverview(client, scope);
  const { newestHours } = overview;
  const recent = await findPage(client, scope, EVERY_DECISION, NEWEST, RECENT_ROWS, newestHours);
  const sample = await findNewestPlaces(client, scope, REASON_CODE_SAMPLE, newestHours);
  return { ...overview, sample, recent };
}

function figuresOf({ totals, providers, latencies }: Overview) {
  const actions = presentCounts(ACTIONS, totals.actions);
  const outcomes = presentCounts(OUTCOMES, totals.outcomes);
  const total = actions.reduce((sum, { count }) => sum + count, 0);
  const withOutcome = outcomes.reduce((sum, { count }) => sum + count, 0);
  const { approved } = totals.outcomes;
  return {
    total,
    by_action: actions.map(({ name, count }) => ({ action: name, count })),
    by_provider: providers,
    by_risk_band: presentCounts(RISK_BANDS, totals.bands).map(({ name, count }) => ({ band: name, count })),
    outcome_counts: outcomes.map(({ name, count }) => ({ outcome: name, count })),
    with_outcome: withOutcome,
    approved,
    approval_rate: rate(approved, withOutcome),
    feedback_rate: rate(withOutcome, total),
    avg_latency_ms: rate(totals.latencySumMs, total),
    p95_latency_ms: percentile(latencies, 0.95),
  };
}
