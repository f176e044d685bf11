import type { FromSchema } from "json-schema-to-ts";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { DECISION_MODES } from "../../../domain/vocabulary/vocabulary.js";
import { createValidator } from "../../../platform/wire/body-validator.js";
import { merchantIdSchema } from "../../../platform/wire/scalars.js";

const name = { type: "string", minLength: 1, maxLength: LIMITS.nameCharsMax } as const;

/** ADM-1: PATCH /v1/admin/workspace. An absent field does not change, and null restores the deployment's default. */
export const workspaceChangesSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    name,
    default_decision_mode: { type: ["string", "null"], enum: [...DECISION_MODES, null] },
    risk_block_threshold: { type: ["integer", "null"], minimum: 0, maximum: 100 },
    retention_days: { type: ["integer", "null"], minimum: 1, maximum: LIMITS.retentionDaysMax },
    require_one_time_codes: { type: "boolean" },
  },
} as const;

export const { parse: parseWorkspaceChanges } =
  createValidator<FromSchema<typeof workspaceChangesSchema>>(workspaceChangesSchema);

/** ADM-3: POST /v1/admin/merchants */
export const newMerchantSchema = {
  type: "object",
  additionalProperties: false,
  required: ["merchant_id"],
  properties: { merchant_id: merchantIdSchema, name },
} as const;

export const { parse: parseMerchantBody } =
  createValidator<FromSchema<typeof newMerchantSchema>>(newMerchantSchema);
