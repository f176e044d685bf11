import { idFloorHex, idToHex } from "../shared/ids.js";
import { MODES } from "../shared/vocabulary.js";
import { countedColumns, rowConditions, sumOf } from "./decision-conditions.js";
import { prepared } from "./prepared.js";
import { rollupMerchant, type DecisionFilter, type DecisionScope } from "./decision-scope.js";
import { HOUR_MS } from "./rollup-columns.js";
import type { TenantConnection } from "./tenant-db.js";

/** The exact number of decisions a filter lets through, without looking at more rows than those of one hour or order. */
export async function countDecisions(
  client: TenantConnection,
  scope: DecisionScope,
  filter: DecisionFilter,
): Promise<number> {
  if (filter.orderId !== null) return countOfOrder(client, scope, filter, filter.orderId);
  if (filter.sinceMs === null) return countOfAll(client, scope, filter);
  return countSince(client, scope, filter, filter.sinceMs);
}

const keyOf = (scope: DecisionScope): unknown[] => [
  idToHex(scope.workspaceId),
  MODES.indexOf(scope.mode),
  rollupMerchant(scope),
];

async function numberOf(client: TenantConnection, text: string, values: unknown[]): Promise<number> {
  const { rows } = await client.query<{ number: string }>(prepared(text, values));
  return Number(rows[0]?.number ?? 0);
}

function countOfAll(client: TenantConnection, scope: DecisionScope, filter: DecisionFilter): Promise<number> {
  const sum = sumOf(countedColumns(filter));
  return numberOf(
    client,
    `select coalesce(sum(number), 0) as number from (
       select ${sum} as number from rollup_totals where workspace_id = $1 and mode = $2 and merchant_id = $3
       union all
       select ${sum} from rollup_deltas where workspace_id = $1 and mode = $2 and ($3 = '' or merchant_id = $3)
     ) parts`,
    keyOf(scope),
  );
}

/** Whole hours from the rollup; the hour the range begins in from its rows. */
function countSince(
  client: TenantConnection,
  scope: DecisionScope,
  filter: DecisionFilter,
  sinceMs: number,
): Promise<number> {
  const sum = sumOf(countedColumns(filter));
  const hour = Math.floor(sinceMs / HOUR_MS);
  return numberOf(
    client,
    `select coalesce(sum(number), 0) as number from (
       select ${sum} as number from rollup_hours
       where workspace_id = $1 and mode = $2 and merchant_id = $3 and hour > $4
       union all
       select ${sum} from rollup_deltas
       where workspace_id = $1 and mode = $2 and ($3 = '' or merchant_id = $3) and hour > $4
       union all
       select count(*) from decisions d
       where d.workspace_id = $1 and d.mode = $2 and d.decision_id >= $5 and d.decision_id < $6
         ${rowConditions(scope, filter, "$3")}
     ) parts`,
    [...keyOf(scope), hour, idFloorHex(sinceMs), idFloorHex((hour + 1) * HOUR_MS)],
  );
}

function countOfOrder(
  client: TenantConnection,
  scope: DecisionScope,
  filter: DecisionFilter,
  orderId: string,
): Promise<number> {
  return numberOf(
    client,
    `select count(*) as number from order_decisions($2, $4) as found (decision_id)
     join decisions d on d.decision_id = found.decision_id
     where d.workspace_id = $1 and d.mode = $2
       and d.decision_id >= $5 and $3::text is not null ${rowConditions(scope, filter, "$3")}`,
    [...keyOf(scope), orderId, idFloorHex(filter.sinceMs ?? 0)],
  );
}

export interface HourCount {
  /** Hours since 1970. */
  hour: number;
  decisions: number;
}

export interface HourCounts {
  /** Hours with at least one decision, in the direction asked for. */
  hours: HourCount[];
  /** The hour to go on after, or null at the end. */
  next: number | null;
}

/**
 * In which hours there are decisions that a filter lets through, from `fromHour` (inclusive) to older or newer ones:
 * the coarse index by which a page of rare rows is found. At most about `limit` hours a call.
 */
export async function countHours(
  client: TenantConnection,
  scope: DecisionScope,
  filter: DecisionFilter,
  direction: "older" | "newer",
  fromHour: number,
  limit: number,
): Promise<HourCounts> {
  const columns = countedColumns(filter);
  if (columns.length === 0) return { hours: [], next: null };
  const sum = sumOf(columns);
  const [compare, order] = direction === "older" ? ["<=", "desc"] : [">=", "asc"];
  const { rows } = await client.query<{ hour: number; folded: boolean; number: string }>(
    prepared(
      `(select hour, true as folded, ${sum} as number from rollup_hours
      where workspace_id = $1 and mode = $2 and merchant_id = $3 and hour ${compare} $4 and ${sum} > 0
      order by hour ${order} limit $5)
     union all
     (select hour, false, sum(${sum}) from rollup_deltas
      where workspace_id = $1 and mode = $2 and ($3 = '' or merchant_id = $3) and hour ${compare} $4
      group by hour)`,
      [...keyOf(scope), fromHour, limit],
    ),
  );
  const folded = rows.filter((row) => row.folded);
  // Past the last folded hour that was read, what is folded is not known yet.
  const horizon = folded.length < limit ? null : (folded.at(-1)?.hour ?? null);
  const numbers = new Map<number, number>();
  for (const { hour, number } of rows) {
    const isBeyond = horizon !== null && (direction === "older" ? hour < horizon : hour > horizon);
    if (!isBeyond) numbers.set(hour, (numbers.get(hour) ?? 0) + Number(number));
  }
  const hours = Array.from(numbers, ([hour, decisions]) => ({ hour, decisions }))
    .filter(({ decisions }) => decisions > 0)
    .toSorted((a, b) => (direction === "older" ? b.hour - a.hour : a.hour - b.hour));
  const next = horizon === null ? null : horizon + (direction === "older" ? -1 : 1);
  return { hours, next };
}
