import { written, type Readers } from "../../platform/postgres/database-read.js";
import type { TenantDb } from "../../platform/postgres/tenant-db.js";
import { createDecisionAggregate } from "./decision-aggregate.js";
import type { FindPolicy } from "./decision-explanation.js";
import { createDecisionList } from "./decision-list.js";
import { createDecisionReader } from "./decision-reader.js";
import { createDecisionReplay } from "./decision-replay.js";
import { createDocumentReaders } from "./document-readers.js";
import type { DecisionRead } from "./read-log.js";
import { createShadowReport } from "./shadow-report.js";

/** These exports are for other features. */
export { loadOverview } from "./queries/overview.js";
export { loadDocuments } from "./queries/segment.js";
export { findPage } from "./queries/decision-page.js";
export { type PageStart } from "./queries/page-hours.js";
export { countDecisions } from "./queries/decision-counts.js";
export { eachFacetCount } from "./queries/facet-counts.js";
export { loadGroupedFacets, type GroupedFacets } from "./queries/facet-sums.js";
export { END_MS, nearestHours } from "./queries/id-spans.js";
export { inSpan, olderPart, type OlderSpan } from "./queries/older-rows.js";
export { listRowHead, withFeedback } from "./decision-list-row.js";
export { listSetAside } from "./queries/set-aside.js";
export type { StoredReview } from "./queries/stored-feedback.js";
export { toReviewBody } from "./decision-detail.js";
export type { ReviewBody } from "./wire/decision-log-schema.js";

export type { DecisionRead };

/**
 * The reads that the reader thread answers. `now` returns Unix milliseconds. `findPolicy` is an argument, because the
 * policies feature imports this file.
 */
export function decisionReaders(
  tenants: TenantDb,
  now: () => number,
  findPolicy: FindPolicy,
): Readers<DecisionRead> {
  const documents = createDocumentReaders(tenants);
  const list = createDecisionList(tenants, documents);
  const find = createDecisionReader(tenants, findPolicy);
  const replay = createDecisionReplay(tenants, findPolicy);
  const aggregate = createDecisionAggregate(tenants, now, documents);
  const report = createShadowReport(tenants, now);
  return {
    list: ({ scope, query }) => list(scope, query),
    detail: ({ scope, decisionId }) => written(find(scope, decisionId)),
    replay: ({ scope, decisionId }) => written(replay(scope, decisionId)),
    aggregate: ({ scope }) => aggregate(scope),
    shadow_report: ({ scope, days }) => written(report(scope, days)),
  };
}
