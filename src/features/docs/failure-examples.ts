import type { JsonSchema } from "../../platform/wire/body-validator.js";
import { type PlainErrorBody, validationErrorSchema } from "../../platform/wire/error-schema.js";

/**
 * Returns an example of a failure, by its status, for an operation without an example of its own. The examples were
 * recorded from the service.
 */
export function failureExample(status: number, schemas: readonly JsonSchema[]): unknown {
  if (status !== 400) return EXAMPLES[status];
  return schemas.includes(validationErrorSchema) ? INVALID_MODE : MALFORMED;
}

const INVALID_MODE = {
  error: "validation_error",
  issues: [{ path: "query.mode", code: "invalid_enum_value", message: "Must be one of test, live" }],
};
const MALFORMED = error(400, "Malformed request headers", "Bad Request");

const EXAMPLES: Readonly<Record<number, unknown>> = {
  401: error(401, "Provide an x-api-key header or a session token", "Unauthorized"),
  403: error(403, "Tenant is not active", "Forbidden"),
  404: error(404, "Decision not found", "Not Found"),
  409: error(
    409,
    "The first request with this Idempotency-Key has no answer: see what it did, then ask with another key",
    "Conflict",
  ),
  412: error(412, "The live policy is not one that If-Match names", "Precondition Failed"),
  413: error(413, "Request body is too large", "Payload Too Large"),
  415: error(415, "Send content-type: application/json", "Unsupported Media Type"),
  429: { error: "rate_limited", limit_per_minute: 2000 },
  500: error(500, "Internal server error", "Internal Server Error"),
  503: error(503, "Credentials cannot be checked right now", "Service Unavailable"),
};

function error(statusCode: number, message: string, text: string): PlainErrorBody {
  return { statusCode, message, error: text };
}
