import { analyticsReaders, type AnalyticsRead } from "../analytics/service.js";
import { decisionReaders, type DecisionRead } from "../decisions/service.js";
import { drillReaders, type DrillRead } from "../overrides/service.js";
import { findPolicy } from "../policies/service.js";
import { usageReaders, type UsageRead } from "../usage/service.js";
import type { Readers } from "../../platform/postgres/database-read.js";
import type { TenantDb } from "../../platform/postgres/tenant-db.js";

/** The reads over the decision log and its counts. */
export type ReadRequest = DecisionRead | AnalyticsRead | DrillRead | UsageRead;

/**
 * Answers reads as finished JSON, or null for an unknown object. Rejects while PostgreSQL is away. `now` returns Unix
 * milliseconds.
 */
export function createReads(
  tenants: TenantDb,
  now: () => number,
): (request: ReadRequest) => Promise<string | null> {
  const readers: Readers<ReadRequest> = {
    ...decisionReaders(tenants, now, (workspaceId, policyId) =>
      findPolicy(tenants.of(workspaceId), workspaceId, policyId),
    ),
    ...analyticsReaders(tenants, now),
    ...drillReaders(tenants, now),
    ...usageReaders(tenants),
  };
  return (request) => (readers[request.kind] as (asked: ReadRequest) => Promise<string | null>)(request);
}
