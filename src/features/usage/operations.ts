import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { Operations, Parameter } from "../../platform/wire/operation.js";
import { monthPattern, usageReportSchema } from "./wire.js";

const month = (description: string): Parameter => ({
  schema: { type: "string", pattern: monthPattern },
  description,
});

export const USAGE_OPERATIONS: Operations = {
  "GET /v1/admin/usage": {
    operationId: "getUsage",
    tag: "Administration",
    summary: "Decisions by month, mode and merchant",
    description: `At most ${LIMITS.usageMonthsMax} months at once.`,
    query: {
      from: month("First month; that of `to` where it is absent."),
      to: month("Last month; the current one where it is absent."),
    },
    answers: { 200: { description: "What is billed, and shadow decisions.", schema: usageReportSchema } },
  },
};
