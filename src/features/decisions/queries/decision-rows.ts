import { idToHex } from "../../../domain/ids/ids.js";
import { MODES } from "../../../domain/vocabulary/vocabulary.js";
import type { DecisionFilter, DecisionScope } from "../../../domain/vocabulary/decision-scope.js";
import { prepared } from "../../../platform/postgres/prepared.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";
import { rowConditions, rowTexts } from "./decision-conditions.js";
import type { Span } from "./id-spans.js";

/** Counts the rows of `spans` that match a filter. The filter's interval is ignored. */
export async function countRows(
  client: TenantConnection,
  scope: DecisionScope,
  filter: DecisionFilter,
  spans: readonly Span[],
): Promise<number> {
  if (spans.length === 0) return 0;
  const { rows } = await client.query<{ number: string }>(
    prepared(
      `select coalesce(sum(counted.number), 0) as number
       from unnest($3::uuid[], $4::uuid[]) as span (low, high) cross join lateral (
         select count(*) as number from decisions d
         where d.workspace_id = $1 and d.mode = $2 and d.decision_id >= span.low and d.decision_id < span.high
           and $5::text[] is not null ${rowConditions(scope, filter, "$5")}
       ) counted`,
      [
        idToHex(scope.workspaceId),
        MODES.indexOf(scope.mode),
        spans.map(({ low }) => low),
        spans.map(({ high }) => high),
        rowTexts(scope, filter),
      ],
    ),
  );
  return Number(rows[0]?.number);
}
