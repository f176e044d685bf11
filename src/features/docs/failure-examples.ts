import { ACCESS_LIMITS } from "../../domain/vocabulary/access-limits.js";
import {
  CHANGE_UNANSWERED,
  CREDENTIALS_UNAVAILABLE,
  errorResponse,
  WORKSPACE_NOT_FOUND,
  type ApiError,
} from "../../platform/http/api-error.js";
import type { JsonSchema } from "../../platform/wire/body-validator.js";
import { validationErrorSchema } from "../../platform/wire/error-schema.js";
import type { NotReadyBody } from "../operations/wire.js";

/**
 * The example of a failure that no recorded call shows, because it takes an outage, too many requests or another
 * setting. The example comes from the function that writes the service's own answers.
 */
export function failureExample(operationId: string, status: number, schemas: readonly JsonSchema[]): unknown {
  if (operationId === "getReadiness" && status === 503) return NOT_READY;
  const isClosed = operationId === "register" && status === 403;
  const error = isClosed ? CLOSED : status === 400 ? invalid(schemas) : COMMON[status];
  return error === undefined ? undefined : JSON.parse(errorResponse(error).body);
}

const CLOSED: ApiError = { kind: "registration_closed" };
const COMMON: Readonly<Record<number, ApiError>> = {
  401: { kind: "no_credentials" },
  403: { kind: "inactive_tenant" },
  404: WORKSPACE_NOT_FOUND,
  409: CHANGE_UNANSWERED,
  412: { kind: "live_policy_changed" },
  413: { kind: "body_too_large" },
  415: { kind: "unsupported_media_type" },
  429: { kind: "rate_limited", limitPerMinute: ACCESS_LIMITS.unknownKeysPerMinute },
  500: { kind: "internal" },
  503: CREDENTIALS_UNAVAILABLE,
};

/** ERR-16: every operation that validates refuses an unknown query parameter. */
function invalid(schemas: readonly JsonSchema[]): ApiError {
  if (!schemas.includes(validationErrorSchema)) return { kind: "bad_framing" };
  const issue = { path: "query.verbose", code: "unrecognized_keys", message: "Unrecognized key" } as const;
  return { kind: "invalid", issues: [issue] };
}

const NOT_READY: NotReadyBody = { status: "not_ready", checks: { postgres: "unreachable", lmdb: "ok" } };
