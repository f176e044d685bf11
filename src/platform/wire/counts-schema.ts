import { ACTIONS, OUTCOMES } from "../../domain/vocabulary/vocabulary.js";
import { countSchema, providerIdSchema } from "./scalars.js";

/** The figures that several reports share. */

export const nullableMillisecondsSchema = { type: ["number", "null"], minimum: 0 } as const;

export const countsByActionSchema = {
  type: "array",
  items: {
    type: "object",
    additionalProperties: false,
    required: ["action", "count"],
    properties: { action: { type: "string", enum: ACTIONS }, count: countSchema },
  },
} as const;

export const countsByProviderSchema = {
  type: "array",
  description: "By primary provider; a block has none.",
  items: {
    type: "object",
    additionalProperties: false,
    required: ["provider", "count"],
    properties: { provider: providerIdSchema, count: countSchema },
  },
} as const;

export const outcomeCountsSchema = {
  type: "array",
  items: {
    type: "object",
    additionalProperties: false,
    required: ["outcome", "count"],
    properties: { outcome: { type: "string", enum: OUTCOMES }, count: countSchema },
  },
} as const;
