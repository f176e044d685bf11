import { idFloorHex, idTimeMs, idToHex } from "../../../domain/ids/ids.js";
import type { DecisionFilter, DecisionScope } from "../../../domain/vocabulary/decision-scope.js";
import { HOUR_MS } from "../../../path/writer/copy/rollup-columns.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";
import { countHours, HOURS_FIRST } from "./decision-counts.js";
import { END_MS, newestHourOf, nextIdHex, type Direction, type HourCounts, type Span } from "./id-spans.js";

/**
 * The start of a page. It is after a number of the newest or oldest rows, or next to a decision. That decision is not
 * on the page.
 */
export type PageStart =
  | { kind: "offset"; rows: number; isOldestFirst?: boolean }
  | { kind: "older_than" | "newer_than"; decisionId: string };

/** The direction in which a page's rows are searched. */
export function directionOf(start: PageStart): Direction {
  const isOldestFirst = start.kind === "offset" && start.isOldestFirst === true;
  return isOldestFirst || start.kind === "newer_than" ? "newer" : "older";
}

/** The range of ids that can be on a page: within the filter's interval and `within`, and beyond the cursor. */
export function boundsOf(filter: DecisionFilter, start: PageStart, within: Span | null = null): Span {
  const lows = [idFloorHex(filter.sinceMs ?? 0)];
  const highs = [idFloorHex(filter.untilMs ?? END_MS)];
  if (start.kind === "older_than") highs.push(idToHex(start.decisionId));
  // `low` is inclusive, so the span begins at the id that follows the cursor's id.
  if (start.kind === "newer_than") lows.push(nextIdHex(idToHex(start.decisionId)));
  if (within !== null) {
    lows.push(within.low);
    highs.push(within.high);
  }
  return { low: lows.toSorted().at(-1) as string, high: highs.toSorted()[0] as string };
}

/** The number of hours to look at in each later step. Most pages are found in the first step. */
const HOURS_FURTHER = 1000;

/** The position of a page. If `newestHours` is not null, a search from the newest row uses it for its first step. */
export interface PlaceInHours {
  start: PageStart;
  direction: Direction;
  offset: number;
  limit: number;
  newestHours: HourCounts | null;
}

/**
 * Finds the hours that hold the page's rows, in the direction of the search, and the number of rows to skip in them.
 */
export async function spansOf(
  client: TenantConnection,
  scope: DecisionScope,
  filter: DecisionFilter,
  { start, direction, offset: rows, limit, newestHours }: PlaceInHours,
): Promise<{ spans: Span[]; offset: number }> {
  const oldestHour = filter.sinceMs === null ? null : Math.floor(filter.sinceMs / HOUR_MS);
  const newestHour = newestHourOf(filter);
  const cursorHour = start.kind === "offset" ? null : Math.floor(idTimeMs(start.decisionId) / HOUR_MS);
  const isOutside = (hour: number): boolean =>
    hour > newestHour || (oldestHour !== null && hour < oldestHour);
  // If the cursor or an end of the interval lies within an hour, only part of that hour's rows count. Their number is
  // unknown.
  const isCut = (hour: number): boolean =>
    hour === cursorHour || hour === oldestHour || (filter.untilMs !== null && hour === newestHour);
  const spans: Span[] = [];
  let offset = rows;
  /** The rows still to find, including the rows to skip. */
  let needed = limit + offset;
  let from: number | null = firstHourOf(direction, cursorHour, oldestHour, newestHour);
  let known = newestHours;
  for (let hoursMax = HOURS_FIRST; from !== null && needed > 0; hoursMax = HOURS_FURTHER) {
    const { hours, next }: HourCounts =
      known ?? (await countHours(client, scope, filter, direction, from, hoursMax));
    known = null;
    for (const { hour, decisions } of hours) {
      if (isOutside(hour)) continue;
      if (!isCut(hour)) needed -= decisions;
      // Whole hours before the page are skipped by their counts.
      if (spans.length === 0 && !isCut(hour) && decisions <= offset) offset -= decisions;
      else addHour(spans, hour, direction);
      if (needed <= 0) break;
    }
    from = next === null || isOutside(next) ? null : next;
  }
  return { spans, offset };
}

/** The hour at which a search begins: the cursor's hour, limited to the interval. */
function firstHourOf(
  direction: Direction,
  cursorHour: number | null,
  oldestHour: number | null,
  newestHour: number,
): number {
  if (direction === "older") return Math.min(cursorHour ?? newestHour, newestHour);
  return Math.max(cursorHour ?? 0, oldestHour ?? 0);
}

/** Merges neighbouring hours into one span, so that one index scan serves them all. */
function addHour(spans: Span[], hour: number, direction: Direction): void {
  const hours: Span = { low: idFloorHex(hour * HOUR_MS), high: idFloorHex((hour + 1) * HOUR_MS) };
  const last = spans.at(-1);
  if (last === undefined) spans.push(hours);
  else if (direction === "older" && last.low === hours.high) last.low = hours.low;
  else if (direction === "newer" && last.high === hours.low) last.high = hours.high;
  else spans.push(hours);
}
