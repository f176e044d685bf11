import type { AnalyticsQuery } from "../../../src/features/analytics/analytics-query.js";
import { EVERY_DECISION } from "../../../src/domain/vocabulary/decision-scope.js";
import type { Range } from "../../../src/domain/vocabulary/range.js";

/** Returns a query with nothing but a range. */
export function ofRange(range: Range): AnalyticsQuery {
  return {
    range,
    interval: null,
    filter: EVERY_DECISION,
    groupBy: [],
    hasGroupSeries: false,
    timeZone: null,
  };
}
