import { idFloorHex, idToHex } from "../../../domain/ids/ids.js";
import type { DecisionFilter, DecisionScope } from "../../../domain/vocabulary/decision-scope.js";
import type { FacetColumn } from "../../../domain/vocabulary/facets.js";
import { ACTIONS, DECISION_MODES, MODES } from "../../../domain/vocabulary/vocabulary.js";
import type { OlderLog, TenantConnection } from "../../../platform/postgres/tenant-db.js";
import { rowTexts } from "./decision-conditions.js";
import { END_MS, hoursBetween, type Direction, type Span } from "./id-spans.js";

/** A range of ids of one workspace and mode whose decisions only ClickHouse has. */
export interface OlderSpan extends Span {
  older: OlderLog;
  scope: Pick<DecisionScope, "workspaceId" | "mode">;
}

/**
 * CH-12: the part of a span that only the older log has. Null if PostgreSQL has all of it, or if there is no older log.
 */
export function olderPart(
  { older }: TenantConnection,
  scope: OlderSpan["scope"],
  { low, high }: Span,
): OlderSpan | null {
  if (older === undefined) return null;
  const [first, end] = [idFloorHex(older.startMs), idFloorHex(older.endMs)];
  const span = { low: low > first ? low : first, high: high < end ? high : end };
  return span.low < span.high ? { older, scope, ...span } : null;
}

/** The span from the lowest to the highest id of several spans. Null if there are none. */
export function hullOf(spans: readonly Span[]): Span | null {
  const lows = spans.map(({ low }) => low).toSorted();
  const highs = spans.map(({ high }) => high).toSorted();
  const [low, high] = [lows[0], highs.at(-1)];
  return low === undefined || high === undefined ? null : { low, high };
}

/** ClickHouse sorts a UUID by its second half. Its tables therefore use the id as a number for their key. */
const numberOf = (hex: string): string => `toUInt128('${BigInt(`0x${hex}`)}')`;
const timeOf = (hex: string): string =>
  `fromUnixTimestamp64Milli(${Math.min(Number.parseInt(hex.slice(0, 12), 16), END_MS)}, 'UTC')`;

/** The SQL condition of a span, for every table of the older log. `created_at` lets ClickHouse skip partitions. */
export function inSpan({ scope, low, high }: OlderSpan): string {
  return `workspace_id = toUUID('${idToHex(scope.workspaceId)}') and mode = ${MODES.indexOf(scope.mode)}
    and toUInt128(decision_id) >= ${numberOf(low)} and toUInt128(decision_id) < ${numberOf(high)}
    and created_at >= ${timeOf(low)} and created_at <= ${timeOf(high)}`;
}

/** Keeps one row per decision, because ClickHouse may not have merged a repeated insert yet. */
export const ONCE = "limit 1 by decision_id";

export function inOrder(direction: Direction): string {
  return `order by toUInt128(decision_id) ${direction === "older" ? "desc" : "asc"}`;
}

/** A condition in SQL, and the values of its named parameters. */
export interface OlderConditions {
  text: string;
  texts: Record<string, string>;
}

/** Expressions that give a facet's columns in ClickHouse as the texts that PostgreSQL's `facets` has. */
export const FACET_TEXTS: Readonly<Record<FacetColumn, string>> = {
  merchant_id: "toString(merchant_id)",
  currency: "toString(currency)",
  country: "ifNull(toString(country), '')",
  payment_method: "toString(payment_method)",
  card_network: "toString(ifNull(toInt16(card_network), -1))",
  provider: "ifNull(toString(primary_provider), '')",
};
/** In the order of `rowTexts`. */
const FILTERED = [
  "merchant_id",
  "currency",
  "country",
  "provider",
  "payment_method",
  "card_network",
] as const satisfies readonly FacetColumn[];

/** The conditions of `rowConditions` and of `order_id`, in ClickHouse's SQL. */
export function olderConditions(
  scope: DecisionScope,
  filter: DecisionFilter,
  span: OlderSpan,
): OlderConditions {
  const parts = [inSpan(span)];
  const texts: Record<string, string> = {};
  const values = rowTexts(scope, filter);
  for (const [at, column] of FILTERED.entries()) {
    const text = values[at] ?? null;
    if (text === null) continue;
    texts[column] = text;
    parts.push(`${FACET_TEXTS[column]} = {${column}:String}`);
  }
  if (filter.orderId !== null) {
    texts["order_id"] = filter.orderId;
    parts.push("order_id = {order_id:String}");
  }
  if (filter.action !== null) parts.push(`action = ${ACTIONS.indexOf(filter.action)}`);
  if (filter.decisionMode !== null) {
    parts.push(`decision_mode = ${DECISION_MODES.indexOf(filter.decisionMode)}`);
  }
  if (filter.unresolved) {
    parts.push(`decision_mode = ${DECISION_MODES.indexOf("enforce")}`);
    for (const table of ["outcomes", "reviews"]) {
      parts.push(`decision_id not in (select decision_id from ${table} where ${inSpan(span)})`);
    }
  }
  return { text: parts.join(" and "), texts };
}

/** Counts the rows that match a filter. */
export async function countOlderRows(
  span: OlderSpan,
  scope: DecisionScope,
  filter: DecisionFilter,
): Promise<number> {
  const { text, texts } = olderConditions(scope, filter, span);
  const [counted] = await span.older.rows<{ number: string }>(
    `select uniqExact(decision_id) as number from decisions where ${text}`,
    texts,
  );
  return Number(counted?.number);
}

/** CH-12: counts the rows that only the older log has in the partial hours at the ends of the filter's interval. */
export async function countOlderEnds(
  client: TenantConnection,
  scope: DecisionScope,
  filter: DecisionFilter,
): Promise<number> {
  const { cut } = hoursBetween(filter.sinceMs ?? 0, filter.untilMs ?? END_MS);
  let total = 0;
  for (const end of cut) {
    const span = olderPart(client, scope, end);
    if (span !== null) total += await countOlderRows(span, scope, filter);
  }
  return total;
}
