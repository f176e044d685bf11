import type { AnalyticsQuery } from "../../../src/features/analytics/analytics-query.js";
import { EVERY_DECISION } from "../../../src/domain/vocabulary/decision-scope.js";
import type { Range } from "../../../src/domain/vocabulary/range.js";

/** The query that names only a range. */
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
