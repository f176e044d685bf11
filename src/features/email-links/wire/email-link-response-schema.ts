import type { FromSchema } from "json-schema-to-ts";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { nullableTimestampSchema } from "../../../platform/wire/scalars.js";

/** ACC-30, ACC-33: the answer is the same whether or not the address is to get a letter. */
export const acceptedSchema = {
  type: "object",
  additionalProperties: false,
  required: ["accepted"],
  properties: { accepted: { type: "boolean", const: true } },
} as const;

/** ACC-33: GET /v1/auth/email */
export const emailStateSchema = {
  type: "object",
  additionalProperties: false,
  required: ["email", "verified_at", "mail"],
  properties: {
    email: { type: "string", maxLength: LIMITS.emailCharsMax },
    verified_at: { ...nullableTimestampSchema, description: "When the link of a letter proved the address." },
    mail: { type: "boolean", description: "The deployment sends mail." },
  },
} as const;

export type AcceptedBody = FromSchema<typeof acceptedSchema>;
export type EmailStateBody = FromSchema<typeof emailStateSchema>;
