import { LIMITS } from "../shared/limits.js";
import { DECISION_MODES, type DecisionMode } from "../shared/vocabulary.js";
import { createValidator } from "./body-validator.js";
import { merchantIdSchema } from "./decision-schema.js";

const name = { type: "string", minLength: 1, maxLength: LIMITS.nameCharsMax } as const;

/** contract §3 PATCH /v1/admin/workspace: what is absent stays; null goes back to the deployment's default. */
export interface WorkspaceChanges {
  name?: string;
  default_decision_mode?: DecisionMode | null;
  risk_block_threshold?: number | null;
}

export const { parse: parseWorkspaceChanges } = createValidator<WorkspaceChanges>({
  type: "object",
  additionalProperties: false,
  properties: {
    name,
    default_decision_mode: { type: ["string", "null"], enum: [...DECISION_MODES, null] },
    risk_block_threshold: { type: ["integer", "null"], minimum: 0, maximum: 100 },
  },
});

/** contract §3 POST /v1/admin/merchants */
export interface MerchantBody {
  merchant_id: string;
  name?: string;
}

export const { parse: parseMerchantBody } = createValidator<MerchantBody>({
  type: "object",
  additionalProperties: false,
  required: ["merchant_id"],
  properties: { merchant_id: merchantIdSchema, name },
});
