import { unreachable } from "../../domain/vocabulary/unreachable.js";
import { createAnalyticsSummary, type AnalyticsRead } from "../analytics/service.js";
import { createDecisionAggregate } from "../decisions/decision-aggregate.js";
import { createDecisionList } from "../decisions/decision-list.js";
import type { FindPolicy } from "../decisions/decision-explanation.js";
import { createDecisionReader } from "../decisions/decision-reader.js";
import { createDecisionReplay } from "../decisions/decision-replay.js";
import { createDocumentReaders } from "../decisions/document-readers.js";
import type { DecisionRead } from "../decisions/read-log.js";
import { createShadowReport } from "../decisions/shadow-report.js";
import { findPolicy } from "../policies/queries.js";
import { createUsageReport, type UsageRead } from "../usage/service.js";
import type { TenantDb } from "../../platform/postgres/tenant-db.js";

/** What can be read of the decision log, and counted over it. */
export type ReadRequest = DecisionRead | AnalyticsRead | UsageRead;

/** Answers reads as finished JSON; null for what does not exist. Rejects while PostgreSQL is away. */
export function createReads(
  tenants: TenantDb,
  now: () => number,
): (request: ReadRequest) => Promise<string | null> {
  const readers = createDocumentReaders(tenants);
  const list = createDecisionList(tenants, readers);
  const policyOf: FindPolicy = (workspaceId, policyId) =>
    findPolicy(tenants.of(workspaceId), workspaceId, policyId);
  const find = createDecisionReader(tenants, policyOf);
  const replay = createDecisionReplay(tenants, policyOf);
  const aggregate = createDecisionAggregate(tenants, now, readers);
  const report = createShadowReport(tenants, now);
  const summarize = createAnalyticsSummary(tenants, now);
  const usage = createUsageReport(tenants);
  return (request) => {
    switch (request.kind) {
      case "list":
        return list(request.scope, request.query);
      case "detail":
        return written(find(request.scope, request.decisionId));
      case "replay":
        return written(replay(request.scope, request.decisionId));
      case "aggregate":
        return aggregate(request.scope);
      case "shadow_report":
        return written(report(request.scope, request.days));
      case "analytics":
        return written(summarize(request.workspaceId, request.mode, request.range));
      case "usage":
        return written(usage(request.workspaceId, request.months));
      default:
        return unreachable(request);
    }
  };
}

async function written(finding: Promise<object | null>): Promise<string | null> {
  const found = await finding;
  return found === null ? null : JSON.stringify(found);
}
