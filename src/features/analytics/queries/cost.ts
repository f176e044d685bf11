import { DECISION_MODES, type DecisionMode } from "../../../domain/vocabulary/vocabulary.js";
import { countedRows, countedValues, HEAD, type CountedRange } from "./counted-range.js";
import { sumOlderCosts, type HeadCosts } from "./older-head.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";

/**
 * The sums over one currency and decision mode. Only decisions whose primary provider has real pricing count. Amounts
 * are in minor units.
 */
export interface CostTotals {
  currency: string;
  decisionMode: DecisionMode;
  decisions: number;
  costMinor: number;
  savedDearestMinor: number;
  /** The decisions whose first offered provider has real pricing too. */
  firstDecisions: number;
  savedFirstMinor: number;
}

const COLUMNS =
  "currency, decision_mode, decisions, cost_minor, saved_dearest_minor, first_decisions, saved_first_minor";

/** Ordered by currency, then enforce before shadow. */
export async function loadCosts(client: TenantConnection, range: CountedRange): Promise<CostTotals[]> {
  const { rows } = await client.query<{
    currency: string;
    decision_mode: number;
    decisions: string;
    cost_minor: string;
    saved_dearest_minor: string;
    first_decisions: string;
    saved_first_minor: string;
  }>({
    name: "load_costs",
    text: `select currency, decision_mode, sum(decisions) as decisions, sum(cost_minor) as cost_minor,
             sum(saved_dearest_minor) as saved_dearest_minor, sum(first_decisions) as first_decisions,
             sum(saved_first_minor) as saved_first_minor
           from (
             ${countedRows(COLUMNS, "rollup_costs", "rollup_cost_deltas")}
             union all
             select currency, decision_mode, 1, cost_minor, cost_dearest_minor - cost_minor,
               (cost_first_minor is not null)::integer, coalesce(cost_first_minor - cost_minor, 0)
             from decisions where ${HEAD} and cost_minor is not null
           ) parts group by currency, decision_mode order by currency, decision_mode`,
    values: countedValues(range),
  });
  return inOrder([...rows, ...(await sumOlderCosts(client, range))]);
}

/** Adds up the rows of one currency and decision mode. */
function inOrder(rows: readonly HeadCosts[]): CostTotals[] {
  const totals = new Map<string, CostTotals>();
  for (const row of rows) {
    const key = `${row.currency} ${row.decision_mode}`;
    const sums = totals.get(key);
    totals.set(key, {
      currency: row.currency,
      decisionMode: DECISION_MODES[row.decision_mode] as DecisionMode,
      decisions: Number(row.decisions) + (sums?.decisions ?? 0),
      costMinor: Number(row.cost_minor) + (sums?.costMinor ?? 0),
      savedDearestMinor: Number(row.saved_dearest_minor) + (sums?.savedDearestMinor ?? 0),
      firstDecisions: Number(row.first_decisions) + (sums?.firstDecisions ?? 0),
      savedFirstMinor: Number(row.saved_first_minor) + (sums?.savedFirstMinor ?? 0),
    });
  }
  return [...totals.keys()].toSorted().map((key) => totals.get(key) as CostTotals);
}
