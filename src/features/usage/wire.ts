import { MODES } from "../../domain/vocabulary/vocabulary.js";
import type { Answered } from "../../platform/wire/answered.js";
import { countSchema, merchantIdSchema } from "../../platform/wire/scalars.js";

export const monthPattern = "^\\d{4}-(0[1-9]|1[0-2])$";

export const usageReportSchema = {
  type: "object",
  additionalProperties: false,
  required: ["usage"],
  properties: {
    usage: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["month", "mode", "merchant_id", "decisions", "shadow_decisions"],
        properties: {
          month: { type: "string", pattern: monthPattern },
          mode: { type: "string", enum: MODES },
          merchant_id: merchantIdSchema,
          decisions: { ...countSchema, description: "The decisions in enforce mode, which are billable." },
          shadow_decisions: countSchema,
        },
      },
    },
  },
} as const;

export type UsageReport = Answered<typeof usageReportSchema>;
