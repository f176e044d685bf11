import type { RequestLogEntry } from "../../api/wire-types.js";

type ErrorCode = NonNullable<RequestLogEntry["error_code"]>;
type IssueCode = NonNullable<RequestLogEntry["issue_code"]>;

/** What each refusal means, and how to fix it. */
const ERRORS = {
  validation_error: "The request does not have the form that this route takes.",
  policy_validation_failed: "The policy was refused, because one of its rules cannot hold as it is written.",
  inactive_tenant: "The workspace is suspended. The platform's administrator can activate it again.",
  session_required: "This route takes a dashboard session and no API key.",
  missing_scope: "The key lacks the scope of this route. Scopes do not change: make a key that has it.",
  other_merchant_scope: "The key is for one merchant, and the request names another.",
  unknown_merchant: "The merchant is not registered in this workspace. Add it in the settings.",
  rate_limited:
    "The key has used up its requests of this minute. Wait for the next minute, or spread them out.",
  not_found: "Nothing with that id exists in this workspace and mode.",
  conflict: "The request contradicts what is stored by now. The answer's message says what.",
  limit_reached: "The workspace has as many of these as it may keep. The answer's message says how many.",
  live_policy_changed:
    "Somebody published another version meanwhile. Read the policy again before you publish.",
  body_too_large: "The body is larger than this route takes.",
  unsupported_media_type: "The body must be sent as content-type: application/json.",
  unsupported_charset: "The body must be UTF-8.",
  encoded_body: "The body must be sent as it is, without content-encoding.",
  internal: "The service made a mistake. Give its operator the request id.",
  unavailable: "The service could not do it at that moment. The same request may be sent again.",
} as const satisfies Record<ErrorCode, string>;

const ISSUES = {
  too_small: "is too small, too short or empty",
  too_big: "is too large or too long",
  invalid_type: "is missing, or is of another type",
  unrecognized_keys: "is a field that this route does not know",
  invalid_enum_value: "is none of the allowed values",
  invalid_string: "does not have the format of this field",
  invalid_json: "is not valid JSON in UTF-8",
  custom: "breaks a rule of its own, which the answer's message names",
} as const satisfies Record<IssueCode, string>;

/** Returns null if the request was not refused. */
export function errorWords({ error_code }: RequestLogEntry): string | null {
  return error_code === null ? null : ERRORS[error_code];
}

/** Returns the problem in words that follow the name of the field. Null if there is no issue. */
export function issueWords({ issue_code }: RequestLogEntry): string | null {
  return issue_code === null ? null : ISSUES[issue_code];
}
