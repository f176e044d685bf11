import { LIMITS } from "../shared/limits.js";
import { merchantIdSchema } from "./decision-schema.js";
import { createDraftBodyParser, draftSchema, type ParsedDraftBody } from "./draft-body.js";
import type { PolicyValidator } from "./policy-validator.js";

/** A body of POST /v1/policies/backtest without its draft. */
export interface BacktestBody {
  merchant_id: string;
  /** How far back, in days of 24 hours. */
  days?: number;
  /** How many decisions, the newest first. */
  limit?: number;
}

export function createBacktestParser(
  validator: PolicyValidator,
): (text: string) => ParsedDraftBody<BacktestBody> {
  return createDraftBodyParser<BacktestBody>(
    {
      type: "object",
      additionalProperties: false,
      required: ["merchant_id", "policy"],
      properties: {
        merchant_id: merchantIdSchema,
        policy: draftSchema,
        days: { type: "integer", minimum: 1, maximum: LIMITS.backtestDaysMax },
        limit: { type: "integer", minimum: 1, maximum: LIMITS.backtestDecisionsMax },
      },
    },
    validator,
  );
}
