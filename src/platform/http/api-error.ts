import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { LimitReached } from "../../domain/vocabulary/kept-limits.js";
import type { PlainErrorBody, RateLimitedBody } from "../wire/error-schema.js";
import {
  policyValidationErrorBody,
  validationErrorBody,
  type PolicyIssue,
  type ValidationIssue,
} from "../wire/validation-issue.js";

/** ERR-3: no other file may know status codes. */
const STATUS_TEXTS = {
  200: "OK",
  201: "Created",
  202: "Accepted",
  204: "No Content",
  302: "Found",
  206: "Partial Content",
  304: "Not Modified",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  412: "Precondition Failed",
  413: "Payload Too Large",
  415: "Unsupported Media Type",
  416: "Range Not Satisfiable",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
} as const;
export type Status = keyof typeof STATUS_TEXTS;

export const STATUS_LINES = Object.fromEntries(
  Object.entries(STATUS_TEXTS).map(([status, text]) => [status, `${status} ${text}`]),
) as Record<Status, string>;

/** The errors that the service can answer. */
export type ApiError =
  | { kind: "bad_framing" }
  | { kind: "invalid"; issues: readonly ValidationIssue[] }
  | { kind: "policy_invalid"; issues: readonly PolicyIssue[] }
  | { kind: "no_credentials" | "invalid_api_key" | "invalid_session" | "inactive_tenant" }
  | { kind: "invalid_webhook" }
  | { kind: "wrong_password" | "wrong_current_password" | "no_membership" | "registration_closed" }
  | { kind: "code_required" | "wrong_code" | "wrong_code_of_session" }
  | { kind: "session_required" | "cross_origin" | "missing_role" | "must_enrol_codes" }
  | { kind: "missing_scope"; credential: "API key" | "Session"; scope: string }
  | { kind: "other_merchant_scope" | "unknown_merchant" }
  | { kind: "rate_limited"; limitPerMinute: number }
  | { kind: "not_found" | "conflict"; message: string }
  | LimitReached
  | { kind: "live_policy_changed" }
  | { kind: "method_not_allowed"; allow: string }
  | { kind: "body_too_large" | "unsupported_media_type" | "unsupported_charset" | "encoded_body" }
  | { kind: "unsatisfiable_range" | "internal" }
  | { kind: "unavailable"; message: string; code?: "older_log_unavailable"; retryAfterSeconds?: number };

/** The answer to a read of decisions while PostgreSQL is away. */
export const READ_UNAVAILABLE: ApiError = {
  kind: "unavailable",
  message: "Decisions cannot be read right now",
};

/** The server that cannot answer a read: PostgreSQL, or ClickHouse for a read of what only ClickHouse has (CH-18). */
export type ReadFailure = "unavailable" | "older_unavailable";

const OLDER_UNAVAILABLE: ApiError = {
  kind: "unavailable",
  message: "Decisions of this time cannot be read right now",
  code: "older_log_unavailable",
  retryAfterSeconds: LIMITS.olderLogRetrySeconds,
};

/** The answer to a read that failed. Null stands for a read that found nothing where something must exist. */
export function readFailure(failure: ReadFailure | null): ApiError {
  return failure === "older_unavailable" ? OLDER_UNAVAILABLE : READ_UNAVAILABLE;
}

export const PRICING_UNAVAILABLE: ApiError = {
  kind: "unavailable",
  message: "Pricing cannot be read or written right now",
};

/** The answer to a read or change of administered records while PostgreSQL is away. */
export const ADMINISTRATION_UNAVAILABLE: ApiError = {
  kind: "unavailable",
  message: "This cannot be read or changed right now",
};

export const CREDENTIALS_UNAVAILABLE: ApiError = {
  kind: "unavailable",
  message: "Credentials cannot be checked right now",
};

/** CELL-8: the answer to a request that must wait until its workspace has arrived completely from another cell. */
export const WORKSPACE_ARRIVING: ApiError = {
  kind: "unavailable",
  message: "The workspace is being moved",
  retryAfterSeconds: LIMITS.moveRetrySeconds,
};

/** IDEM-10: the answer to a repeated request if nobody knows whether the first one made its change. */
export const CHANGE_UNANSWERED: ApiError = {
  kind: "conflict",
  message:
    "The first request with this Idempotency-Key has no answer: see what it did, then ask with another key",
};

export const WORKSPACE_NOT_FOUND: ApiError = { kind: "not_found", message: "Workspace not found" };

const WRONG_CODE = "The one-time code is not right, or was used before";

function plain(
  status: Status,
  message: string,
  code?: PlainErrorBody["code"],
): { status: Status; body: string } {
  return {
    status,
    body: JSON.stringify({
      statusCode: status,
      message,
      error: STATUS_TEXTS[status],
      ...(code === undefined ? {} : { code }),
    } satisfies PlainErrorBody),
  };
}

/** Never change these messages: AUTH-6 to AUTH-11 fix them, and clients may compare them. */
export function errorResponse(error: ApiError): { status: Status; body: string } {
  switch (error.kind) {
    case "bad_framing":
      return plain(400, "Malformed request headers");
    case "invalid":
      return { status: 400, body: validationErrorBody(error.issues) };
    case "policy_invalid":
      return { status: 400, body: policyValidationErrorBody(error.issues) };
    case "no_credentials":
      return plain(401, "Provide an x-api-key header or a session token");
    case "invalid_api_key":
      return plain(401, "Invalid API key");
    case "invalid_session":
      return plain(401, "Invalid or expired session");
    case "invalid_webhook":
      return plain(401, "Invalid webhook signature");
    case "session_required":
      return plain(403, "A dashboard session is required");
    case "cross_origin":
      return plain(403, "Cross-origin requests are not allowed");
    case "missing_role":
      return plain(403, "Your role does not allow this");
    case "must_enrol_codes":
      return plain(403, "Turn one-time codes on first: this workspace requires them", "must_enrol_codes");
    case "wrong_password":
      return plain(401, "Invalid e-mail address or password");
    case "code_required":
      return plain(401, "A one-time code is required", "one_time_code_required");
    case "wrong_code":
    case "wrong_code_of_session":
      // Not 401 for a signed-in person, because a 401 would say that the session has ended.
      return plain(error.kind === "wrong_code" ? 401 : 403, WRONG_CODE, "one_time_code_wrong");
    case "wrong_current_password":
      return plain(403, "The current password is not right");
    case "registration_closed":
      return plain(403, "Registration is closed: ask for an invitation");
    case "no_membership":
      return plain(403, "You are not a member of this workspace");
    case "inactive_tenant":
      return plain(403, "Tenant is not active");
    case "missing_scope":
      return plain(403, `${error.credential} is missing scopes: ${error.scope}`);
    case "other_merchant_scope":
      return plain(403, "API key is scoped to a different merchant");
    case "unknown_merchant":
      return plain(403, "Merchant is not registered in this workspace");
    case "rate_limited":
      return {
        status: 429,
        body: JSON.stringify({
          error: "rate_limited",
          limit_per_minute: error.limitPerMinute,
        } satisfies RateLimitedBody),
      };
    case "not_found":
      return plain(404, error.message);
    case "conflict":
      return plain(409, error.message);
    case "limit_reached":
      return plain(409, `Limit of ${error.limit} ${error.what} reached`);
    case "live_policy_changed":
      return plain(412, "The live policy is not one that If-Match names");
    case "method_not_allowed":
      return plain(405, `Allowed: ${error.allow}`);
    case "body_too_large":
      return plain(413, "Request body is too large");
    case "unsupported_media_type":
      return plain(415, "Send content-type: application/json");
    case "unsupported_charset":
      return plain(415, "Send the body in UTF-8; no other charset is read");
    case "encoded_body":
      return plain(415, "Send the body without content-encoding; only identity is read");
    case "unsatisfiable_range":
      return plain(416, "The range begins past the end of the file");
    case "internal":
      return plain(500, "Internal server error");
    case "unavailable":
      return plain(503, error.message, error.code);
  }
}

export const ACCOUNTS_UNAVAILABLE: ApiError = {
  kind: "unavailable",
  message: "Accounts cannot be read or changed right now",
};

export type ExtraHeaders = readonly (readonly [name: string, value: string])[];

export const NO_HEADERS: ExtraHeaders = [];

/** The headers that an error's answer has besides those of every answer. */
export function headersOf(error: ApiError): ExtraHeaders {
  if (error.kind === "method_not_allowed") return [["allow", error.allow]];
  return error.kind === "unavailable" && error.retryAfterSeconds !== undefined
    ? [["retry-after", String(error.retryAfterSeconds)]]
    : NO_HEADERS;
}
