import { EVERY_DECISION, hasFacet, type DecisionFilter } from "../../domain/vocabulary/decision-scope.js";
import { FACET_COLUMNS, type FacetColumn } from "../../domain/vocabulary/facets.js";
import { RANGES, type Range } from "../../domain/vocabulary/range.js";
import { readInterval, type Interval } from "../../platform/http/interval-query.js";
import type { Query } from "../../platform/http/query.js";
import { readFacetFilter } from "../decisions/wire/facet-parameters.js";
import { isTimeZone } from "./steps/zone-clock.js";

/** The validated query of GET /v1/analytics/summary, without its mode. */
export interface AnalyticsQuery {
  range: Range;
  /** `from` and `to`. Null if the query has neither, and `range` applies. */
  interval: Interval | null;
  /** Filters by merchant and the other facets only. */
  filter: DecisionFilter;
  groupBy: readonly FacetColumn[];
  /** ANA-13: true if each group comes with a time series. */
  hasGroupSeries: boolean;
  /** ANA-14: the zone in which days and months begin. Null if the query names none. UTC then applies. */
  timeZone: string | null;
}

/** ANA-5, ANA-6: adds errors to `query.issues`. An unknown `range` means all of history, as in GET /v1/decisions. */
export function readAnalyticsQuery(query: Query, nowMs: number): AnalyticsQuery {
  const range = query.text("range");
  const interval = readInterval(query, nowMs);
  const groupBy = readGroupBy(query);
  const hasGroupSeries = query.boolean("group_series");
  if (hasGroupSeries && groupBy.length === 0) {
    query.refuse("group_series", "custom", "Needs group_by");
  }
  return {
    range: RANGES.find((known) => known === range) ?? "all",
    interval: query.has("from") || query.has("to") ? interval : null,
    filter: { ...EVERY_DECISION, ...readFacetFilter(query) },
    groupBy,
    hasGroupSeries,
    timeZone: readTimeZone(query),
  };
}

function readTimeZone(query: Query): string | null {
  const zone = query.text("time_zone");
  if (zone !== null && !isTimeZone(zone)) {
    query.refuse("time_zone", "custom", "Must be the IANA name of a time zone");
  }
  return zone;
}

function readGroupBy(query: Query): FacetColumn[] {
  const text = query.text("group_by");
  if (text === null) return [];
  const columns = text.split(",").map((name) => FACET_COLUMNS.find((column) => column === name));
  const known = columns.filter((column) => column !== undefined);
  if (known.length < columns.length) {
    query.refuse("group_by", "invalid_enum_value", `Must be one or two of ${FACET_COLUMNS.join(", ")}`);
  } else if (known.length > 2 || new Set(known).size < known.length) {
    query.refuse("group_by", "custom", "Must be one or two, each once");
  }
  return known;
}

/** True if the figures cover only a part of the workspace's decisions. Such figures are counted from facets. */
export function isNarrowed({ interval, filter }: AnalyticsQuery): boolean {
  return interval !== null || filter.merchantId !== null || hasFacet(filter);
}
