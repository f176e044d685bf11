import { EVERY_DECISION } from "../../../domain/vocabulary/decision-scope.js";
import { OUTCOMES, type Mode } from "../../../domain/vocabulary/vocabulary.js";
import { rate } from "../../../domain/statistics/figures.js";
import { FAMILY_OF, OUTCOMES_AT } from "../../../path/writer/copy/facet-counters.js";
import {
  SNAPSHOT,
  type TenantConnection,
  type TenantDb,
  type TenantTransaction,
} from "../../../platform/postgres/tenant-db.js";
import { eachFacetCount, loadGroupedFacets, type GroupedFacets } from "../../decisions/service.js";
import type { DrillFigures, DrillHistory } from "../wire/drill-history-response-schema.js";
import { listDrills, type DrillPage, type FoundDrill } from "./drill-queries.js";

/** The read that this feature sends to the reader thread. */
export interface DrillRead {
  kind: "drills";
  workspaceId: string;
  page: DrillPage;
}

type Drill = DrillHistory["drills"][number];

interface Span {
  sinceMs: number;
  untilMs: number;
}

/**
 * SVC-16, SVC-17: GET /v1/admin/provider-overrides/history. Traffic is summed from counts by hour, day and month.
 * Where a span begins or ends within an hour, single rows are counted. A drill of any length therefore needs a few
 * dozen counts, and the rows of at most three partial hours. `now` returns Unix milliseconds.
 */
export function createDrillHistory(tenants: TenantDb, now: () => number) {
  return (workspaceId: string, page: DrillPage): Promise<DrillHistory> =>
    tenants.of(workspaceId).transaction(async (client) => {
      const nowMs = now();
      const { drills: found, hasMore } = await listDrills(client, page, nowMs);
      const drills: Drill[] = [];
      if (found.length > 0) {
        const grouped = await loadProviders(client, page.mode);
        const { firstKeptMs } = client;
        for (const drill of found) {
          // The queries run in sequence, because they share a connection.
          const traffic = await findTraffic(client, grouped, drill, { nowMs, firstKeptMs });
          drills.push({ ...drillBody(drill), traffic });
        }
      }
      return { drills, has_more: hasMore };
    }, SNAPSHOT);
}

function loadProviders(client: TenantConnection, mode: Mode): Promise<GroupedFacets> {
  const scope = { workspaceId: client.workspaceId, mode, merchantScope: null };
  return loadGroupedFacets(client, { scope, filter: EVERY_DECISION, columns: ["provider"] });
}

/**
 * SVC-18: a span that begins before the oldest kept decision has no figures, because the rows of its partial hour are
 * gone.
 */
async function findTraffic(
  client: TenantTransaction,
  grouped: GroupedFacets,
  { provider, startedMs, end }: FoundDrill,
  { nowMs, firstKeptMs }: { nowMs: number; firstKeptMs: number },
): Promise<Drill["traffic"]> {
  if (startedMs < firstKeptMs) return null;
  const untilMs = Math.max(startedMs, end?.atMs ?? nowMs);
  const beganMs = startedMs - (untilMs - startedMs);
  const during = await countSpan(client, grouped, provider, { sinceMs: startedMs, untilMs });
  const isKept = beganMs >= firstKeptMs;
  return {
    during,
    before: isKept
      ? await countSpan(client, grouped, provider, { sinceMs: beganMs, untilMs: startedMs })
      : null,
  };
}

const APPROVED_AT = OUTCOMES_AT[OUTCOMES.indexOf("approved")];

async function countSpan(
  client: TenantTransaction,
  grouped: GroupedFacets,
  provider: string,
  interval: Span,
): Promise<DrillFigures> {
  const counts = { decisions: 0, routed: 0, withOutcome: 0, approved: 0 };
  await eachFacetCount(client, grouped, [interval], (_, _hour, group, counter, number) => {
    if (FAMILY_OF[counter] === "outcomes") {
      counts.withOutcome += number;
      if (counter === APPROVED_AT) counts.approved += number;
    } else {
      counts.decisions += number;
      if (grouped.keys[group]?.[0] === provider) counts.routed += number;
    }
  });
  return {
    from: timeOf(interval.sinceMs),
    to: timeOf(interval.untilMs),
    decisions: counts.decisions,
    routed_to_provider: counts.routed,
    with_outcome: counts.withOutcome,
    approved: counts.approved,
    approval_rate: rate(counts.approved, counts.withOutcome),
  };
}

function drillBody(drill: FoundDrill): Omit<Drill, "traffic"> {
  return {
    drill_id: drill.drillId,
    provider: drill.provider,
    state: drill.state,
    payment_method: drill.paymentMethod,
    currency: drill.currency,
    mode: drill.mode,
    started_at: timeOf(drill.startedMs),
    started_by: drill.startedBy,
    expires_at: drill.expiresMs === null ? null : timeOf(drill.expiresMs),
    ended_at: drill.end === null ? null : timeOf(drill.end.atMs),
    ended_by: drill.end?.by ?? null,
    ending: drill.end?.ending ?? null,
  };
}

const timeOf = (ms: number): string => new Date(ms).toISOString();
