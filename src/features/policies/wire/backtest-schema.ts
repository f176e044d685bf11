import type { FromSchema } from "json-schema-to-ts";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { merchantIdSchema } from "../../../platform/wire/scalars.js";
import { createDraftBodyParser, draftSchema, type ParsedDraftBody } from "./draft-body.js";
import type { PolicyValidator } from "./policy-validator.js";

/** POST /v1/policies/backtest */
export const backtestSchema = {
  type: "object",
  additionalProperties: false,
  required: ["merchant_id", "policy"],
  properties: {
    merchant_id: merchantIdSchema,
    policy: draftSchema,
    days: {
      type: "integer",
      minimum: 1,
      maximum: LIMITS.backtestDaysMax,
      description: "How far back, in days of 24 hours.",
    },
    limit: {
      type: "integer",
      minimum: 1,
      maximum: LIMITS.backtestDecisionsMax,
      description: "How many decisions, the newest first.",
    },
  },
} as const;

/** A body of POST /v1/policies/backtest without its draft. */
export type BacktestBody = Omit<FromSchema<typeof backtestSchema>, "policy">;

export function createBacktestParser(
  validator: PolicyValidator,
): (text: string) => ParsedDraftBody<BacktestBody> {
  return createDraftBodyParser<BacktestBody>(backtestSchema, validator);
}
