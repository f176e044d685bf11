import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { Parameter } from "./operation.js";

/** IDEM-1: the schema of an idempotency key. */
export const idempotencyKeySchema = {
  type: "string",
  minLength: 1,
  maxLength: LIMITS.idempotencyKeyCharsMax,
  pattern: "^[ -~]+$",
} as const;

/** IDEM-10: the header `idempotency-key` of a change. */
export const KEY_OF_CHANGE: Parameter = {
  schema: idempotencyKeySchema,
  description:
    "A dashboard session's retry with the same key within one hour changes nothing more and gets the first answer. It holds for one workspace, user and address. Make it random: it also seals the stored answer. API keys need none here, and theirs is not read.",
};

/** IDEM-3, IDEM-5: the headers of a repeated answer. */
export const REPLAYED_ANSWER_HEADERS: Readonly<Record<string, Parameter>> = {
  "idempotency-replayed": { schema: { const: "true" }, description: "Present on a stored response." },
  "idempotency-body-mismatch": {
    schema: { const: "true" },
    description: "Present on a stored response whose first request had another body.",
  },
};
