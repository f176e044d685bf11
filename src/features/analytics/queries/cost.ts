import { DECISION_MODES, type DecisionMode } from "../../../domain/vocabulary/vocabulary.js";
import { countedRows, countedValues, type CountedRange } from "./counted-range.js";
import type { HeadCosts } from "./older-head.js";
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

/** Ordered by currency, then enforce before shadow. `head` has the counts of the range's first hour. */
export async function loadCosts(
  client: TenantConnection,
  range: CountedRange,
  head: readonly HeadCosts[],
): Promise<CostTotals[]> {
  const { rows } = await client.query<HeadCosts>({
    name: "load_costs",
    text: `select currency, decision_mode, sum(decisions) as number, sum(cost_minor) as cost_minor,
             sum(saved_dearest_minor) as saved_dearest_minor, sum(first_decisions) as first_decisions,
             sum(saved_first_minor) as saved_first_minor
           from (${countedRows(COLUMNS, "rollup_costs", "rollup_cost_deltas")}) parts group by currency, decision_mode`,
    values: countedValues(range),
  });
  return inOrder([...rows, ...head]);
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
      decisions: Number(row.number) + (sums?.decisions ?? 0),
      costMinor: Number(row.cost_minor) + (sums?.costMinor ?? 0),
      savedDearestMinor: Number(row.saved_dearest_minor) + (sums?.savedDearestMinor ?? 0),
      firstDecisions: Number(row.first_decisions) + (sums?.firstDecisions ?? 0),
      savedFirstMinor: Number(row.saved_first_minor) + (sums?.savedFirstMinor ?? 0),
    });
  }
  const keys = [...totals.keys()].toSorted();
  return keys.map((key) => totals.get(key) as CostTotals).filter(({ decisions }) => decisions > 0);
}
