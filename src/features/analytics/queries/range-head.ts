import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";
import { HEAD, headValues, partsOf, type CountedRange } from "./counted-range.js";
import {
  countOlderHead,
  countOlderLatencies,
  countOlderProviders,
  sumOlderCosts,
  type HeadCosts,
  type HeadCount,
  type HeadLatency,
  type HeadProvider,
} from "./older-head.js";

/** The counts of a range's cut first hour. They are negative if its rows are subtracted. */
export interface RangeHead {
  counts: HeadCount[];
  providers: HeadProvider[];
  latencies: HeadLatency[];
  costs: HeadCosts[];
}

type HeadRow = { kind: keyof RangeHead } & HeadCount & HeadProvider & HeadLatency & HeadCosts;

/**
 * All four counts need the same rows, so one statement reads them once. Outcomes are grouped with their decisions
 * instead of joined, for the reason in features/decisions/queries/shadow.ts.
 */
const LOAD_HEAD = {
  name: "load_range_head",
  text: `with head as materialized (
           select decision_id, action, decision_mode, primary_provider, latency_units, currency,
             cost_minor, cost_dearest_minor, cost_first_minor
           from decisions where ${HEAD}
         ), decided as (
           select max(action) as action, max(decision_mode) as decision_mode, max(outcome) as outcome
           from (
             select decision_id, action, decision_mode, null::smallint as outcome from head
             union all
             select decision_id, null, null, outcome from outcomes where ${HEAD}
           ) found group by decision_id having max(action) is not null
         )
         select 'counts' as kind, action, decision_mode, outcome, null::text as provider, null::integer as unit,
           null::text as currency, count(*)::integer as number, null::numeric as cost_minor,
           null::numeric as saved_dearest_minor, null::numeric as first_decisions, null::numeric as saved_first_minor
         from decided group by action, decision_mode, outcome
         union all
         select 'providers', null, null, null, primary_provider, null, null, count(*)::integer, null, null, null, null
         from head where primary_provider is not null group by primary_provider
         union all
         select 'latencies', null, null, null, null, latency_units, null, count(*)::integer, null, null, null, null
         from head group by latency_units
         union all
         select 'costs', null, decision_mode, null, null, null, currency, count(*)::integer, sum(cost_minor),
           sum(cost_dearest_minor - cost_minor), count(cost_first_minor),
           coalesce(sum(cost_first_minor - cost_minor), 0)
         from head where cost_minor is not null group by currency, decision_mode`,
};

/** Counts the cut first hour of a range. It is empty if the range begins on the hour, or has no beginning. */
export async function loadHead(client: TenantConnection, range: CountedRange): Promise<RangeHead> {
  const head: RangeHead = { counts: [], providers: [], latencies: [], costs: [] };
  const { headStart, headEnd, headTimes } = partsOf(range);
  if (headStart === headEnd) return head;
  const { rows } = await client.query<HeadRow>({ ...LOAD_HEAD, values: headValues(range) });
  for (const row of rows) head[row.kind].push(row);
  head.counts.push(...(await countOlderHead(client, range)));
  head.providers.push(...(await countOlderProviders(client, range)));
  head.latencies.push(...(await countOlderLatencies(client, range)));
  head.costs.push(...(await sumOlderCosts(client, range)));
  return headTimes === 1 ? head : negative(head);
}

function negative({ counts, providers, latencies, costs }: RangeHead): RangeHead {
  const less = <Row extends { number: string | number }>(row: Row): Row => ({
    ...row,
    number: -Number(row.number),
  });
  return {
    counts: counts.map(less),
    providers: providers.map(less),
    latencies: latencies.map(less),
    costs: costs.map((row) => ({
      ...less(row),
      cost_minor: -Number(row.cost_minor),
      saved_dearest_minor: -Number(row.saved_dearest_minor),
      first_decisions: -Number(row.first_decisions),
      saved_first_minor: -Number(row.saved_first_minor),
    })),
  };
}
