import assert from "node:assert/strict";
import {
  EVERY_DECISION,
  type DecisionFilter,
  type DecisionScope,
} from "../../src/domain/vocabulary/decision-scope.js";
import type { FacetColumn } from "../../src/domain/vocabulary/facets.js";
import type { AnalyticsQuery } from "../../src/features/analytics/analytics-query.js";
import { createAnalyticsSummary } from "../../src/features/analytics/service.js";
import { idToHex } from "../../src/domain/ids/ids.js";
import type { TenantDb } from "../../src/platform/postgres/tenant-db.js";
import { READ_FLOORS } from "./read-floors.js";
import type { MeasuredRead } from "./reads.js";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const EVERYTHING: AnalyticsQuery = {
  range: "all",
  interval: null,
  filter: EVERY_DECISION,
  groupBy: [],
  hasGroupSeries: false,
  timeZone: null,
};
const NIGERIA: DecisionFilter = { ...EVERY_DECISION, currency: "NGN" };

/**
 * The queries of an analyst who looks for the group that explains a fall. With ten million decisions they must be as
 * fast as with a million.
 */
export function createGroupReads(tenants: TenantDb, { workspaceId, mode }: DecisionScope): MeasuredRead[] {
  const summary = createAnalyticsSummary(tenants, Date.now);
  const queries: Array<[string, Partial<AnalyticsQuery>]> = [
    ["groups of country and provider, 30 days", { range: "30d", groupBy: ["country", "provider"] }],
    [
      "groups of country and provider with their charts, 30 days",
      { range: "30d", groupBy: ["country", "provider"], hasGroupSeries: true },
    ],
    ["groups of country and provider, all", { groupBy: ["country", "provider"] }],
    [
      "groups of provider in one currency with their charts, 7 days",
      { range: "7d", groupBy: ["provider"], filter: NIGERIA, hasGroupSeries: true },
    ],
    [
      "groups of merchant and network, ten days cut at both ends",
      { interval: cutInterval(10 * DAY_MS), groupBy: ["merchant_id", "card_network"] },
    ],
  ];
  return queries.map(([name, query]) => ({
    name,
    floor: READ_FLOORS.groups,
    run: () => summary(workspaceId, mode, { ...EVERYTHING, ...query }),
  }));
}

/** An interval that begins and ends within an hour. There the query counts rows, and elsewhere facet blocks. */
function cutInterval(lengthMs: number): NonNullable<AnalyticsQuery["interval"]> {
  const untilMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - 5 * DAY_MS + 0.4 * HOUR_MS;
  return { sinceMs: untilMs - lengthMs - 0.2 * HOUR_MS, untilMs };
}

/** Counts the rows of an interval one by one. Throws unless the summary has the same groups. */
export async function checkGroups(tenants: TenantDb, { workspaceId, mode }: DecisionScope): Promise<void> {
  const interval = cutInterval(30 * DAY_MS);
  const groupBy: readonly FacetColumn[] = ["country", "provider"];
  const { groups } = await createAnalyticsSummary(tenants, Date.now)(workspaceId, mode, {
    ...EVERYTHING,
    interval,
    groupBy,
  });
  const { rows } = await tenants.of(workspaceId).query<{
    country: string | null;
    provider: string | null;
    decisions: number;
    with_outcome: number;
    approved: number;
  }>(
    `select d.country, d.primary_provider as provider, count(*)::int as decisions,
            count(o.decision_id)::int as with_outcome, (count(*) filter (where o.outcome = 0))::int as approved
     from decisions d left join outcomes o using (workspace_id, decision_id)
     where d.workspace_id = $1 and d.mode = 0
       and d.decision_id >= ulid_floor(to_timestamp($2 / 1000.0)) and d.decision_id < ulid_floor(to_timestamp($3 / 1000.0))
     group by 1, 2`,
    [idToHex(workspaceId), interval.sinceMs, interval.untilMs],
  );
  const nameOf = (country: string | null | undefined, provider: string | null | undefined): string =>
    `${country ?? ""}:${provider ?? ""}`;
  const counted = new Map(
    rows.map(({ country, provider, ...counts }) => [nameOf(country, provider), counts]),
  );
  const told = new Map(
    (groups ?? []).map(({ key, decisions, with_outcome, approved }) => [
      nameOf(key.country, key.provider),
      { decisions, with_outcome, approved },
    ]),
  );
  for (const [name, counts] of told) assert.deepEqual(counts, counted.get(name), `group ${name}`);
  assert.equal(told.size, counted.size, "the number of groups");
}
