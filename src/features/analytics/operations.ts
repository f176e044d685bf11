import type { Operations } from "../../platform/wire/operation.js";
import { interval, modeOfSession, range } from "../../platform/wire/parameters.js";
import { facetParameters } from "../decisions/wire/facet-parameters.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { FACET_COLUMNS } from "../../domain/vocabulary/facets.js";
import { analyticsSummarySchema } from "./wire/summary-response-schema.js";

export const ANALYTICS_OPERATIONS: Operations = {
  "GET /v1/analytics/summary": {
    operationId: "getAnalyticsSummary",
    readsOlderLog: true,
    tag: "Insight",
    summary: "Totals, rates, latency percentiles and a time series",
    description:
      "With a filter or an interval the figures are those of these decisions, and latencies, cost and retries are null.",
    query: {
      range,
      ...interval,
      ...facetParameters,
      group_by: {
        schema: { type: "string", examples: ["currency", "country,provider"] },
        description: `One or two of ${FACET_COLUMNS.join(", ")}, joined with a comma: groups, each against the period before.`,
      },
      group_series: {
        schema: { type: "boolean" },
        description: `With group_by: the first ${LIMITS.analyticsGroupSeriesMax} groups have a series each.`,
      },
      time_zone: {
        schema: { type: "string", default: "UTC", examples: ["Europe/Berlin"] },
        description:
          "The IANA name of the time zone in which days and months of the series begin. One with an offset of half an hour or less begins them with their first whole hour (UTC).",
      },
      mode: modeOfSession,
    },
    answers: { 200: { description: "The figures.", schema: analyticsSummarySchema } },
  },
};
