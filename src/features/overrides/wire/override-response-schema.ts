import type { FromSchema } from "json-schema-to-ts";
import { HEALTH_STATES, MODES, PAYMENT_METHODS } from "../../../domain/vocabulary/vocabulary.js";
import {
  currencySchema,
  pointsSchema,
  providerIdSchema,
  timestampSchema,
} from "../../../platform/wire/scalars.js";

export const providerOverridesSchema = {
  type: "object",
  additionalProperties: false,
  required: ["provider", "overrides"],
  properties: {
    provider: providerIdSchema,
    overrides: {
      type: "array",
      description: "The current pins, oldest first. If several cover a segment, the last one applies.",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["state", "score", "payment_method", "currency"],
        properties: {
          state: { type: "string", enum: HEALTH_STATES },
          score: pointsSchema,
          payment_method: { type: ["string", "null"], enum: [...PAYMENT_METHODS, null] },
          currency: { ...currencySchema, type: ["string", "null"] },
          mode: { type: "string", enum: MODES, description: "Absent means both modes." },
          expires_at: { ...timestampSchema, description: "Absent: it holds until somebody lifts it." },
        },
      },
    },
  },
} as const;

export type ProviderOverridesBody = FromSchema<typeof providerOverridesSchema>;
