import type { FacetColumn } from "../../../domain/vocabulary/facets.js";
import type { DecisionFilter, DecisionScope } from "../../../domain/vocabulary/decision-scope.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";
import type { Span } from "./id-spans.js";
import { FACET_TEXTS, inSpan, olderConditions, olderPart } from "./older-rows.js";

/** The number of decisions with the same span, group, action, decision mode and outcome. */
export interface OlderCount {
  /** The position of the span. */
  span: number;
  key: string[];
  action: number;
  decision_mode: number;
  outcome: number | null;
  number: string | number;
}

/** CH-15: counts the rows of `spans` that only the older log has, by group. */
export async function countOlderGroups(
  client: TenantConnection,
  {
    scope,
    filter,
    columns,
  }: { scope: DecisionScope; filter: DecisionFilter; columns: readonly FacetColumn[] },
  spans: readonly Span[],
): Promise<OlderCount[]> {
  const counts: OlderCount[] = [];
  for (const [position, { low, high }] of spans.entries()) {
    const span = olderPart(client, scope, { low, high });
    if (span === null) continue;
    const { text, texts } = olderConditions(scope, filter, span);
    const key =
      columns.length === 0
        ? "emptyArrayString()"
        : `[${columns.map((column) => FACET_TEXTS[column]).join(", ")}]`;
    const rows = await span.older.rows<Omit<OlderCount, "span">>(
      `select key, action, decision_mode, outcome, count() as number
       from (select decision_id, ${key} as key, action, decision_mode from decisions final where ${text}) d
       left join (select decision_id, outcome from outcomes final where ${inSpan(span)}) o using (decision_id)
       group by key, action, decision_mode, outcome`,
      texts,
    );
    counts.push(...rows.map((row) => ({ ...row, span: position })));
  }
  return counts;
}
