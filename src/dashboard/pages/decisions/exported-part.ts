import type { DecisionListQuery } from "../../../client/wire-types.js";
import { isBoundedRange, rangeStartMs } from "../../../domain/vocabulary/range.js";
import { EVER, type ExportedPart } from "../../shell/export-button.js";

/**
 * EXP-14: returns the log's filters in the form of an export. The search is left out. `nowMs` is in Unix
 * milliseconds.
 */
export function exportedPart(query: DecisionListQuery, nowMs: number): ExportedPart {
  const {
    page_size: _size,
    starting_after: _older,
    ending_before: _newer,
    page: _page,
    order: _order,
    q: _search,
    range,
    ...rest
  } = query;
  const start = range !== undefined && isBoundedRange(range) ? rangeStartMs(range, nowMs) : null;
  return {
    ...rest,
    kind: "decisions",
    from: rest.from ?? (start === null ? EVER : new Date(start).toISOString()),
    to: rest.to ?? new Date(nowMs).toISOString(),
  };
}
