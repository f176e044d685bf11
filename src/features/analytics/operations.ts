import type { Operations } from "../../platform/wire/operation.js";
import { modeOfSession, range } from "../../platform/wire/parameters.js";
import { analyticsSummarySchema } from "./wire.js";

export const ANALYTICS_OPERATIONS: Operations = {
  "GET /v1/analytics/summary": {
    operationId: "getAnalyticsSummary",
    tag: "Insight",
    summary: "Totals, rates, latency percentiles and a time series",
    query: { range, mode: modeOfSession },
    answers: { 200: { description: "The figures.", schema: analyticsSummarySchema } },
  },
};
