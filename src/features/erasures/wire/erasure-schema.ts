import type { FromSchema } from "json-schema-to-ts";
import { createValidator } from "../../../platform/wire/body-validator.js";
import { idSchema, merchantIdSchema } from "../../../platform/wire/scalars.js";

/** RET-19: POST /v1/admin/erasures */
export const newErasureSchema = {
  type: "object",
  additionalProperties: false,
  required: ["workspace_id"],
  properties: {
    workspace_id: { ...idSchema("ws"), description: "Suspended, where the whole workspace is erased." },
    merchant_id: { ...merchantIdSchema, description: "Only this merchant of the workspace." },
  },
} as const;
export type NewErasureBody = FromSchema<typeof newErasureSchema>;
export const newErasureValidator = createValidator<NewErasureBody>(newErasureSchema, { isRare: true });
