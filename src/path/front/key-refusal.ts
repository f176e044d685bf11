import { ACCESS_LIMITS } from "../../domain/vocabulary/access-limits.js";
import { unreachable } from "../../domain/vocabulary/unreachable.js";
import { CREDENTIALS_UNAVAILABLE, type ApiError } from "../../platform/http/api-error.js";
import type { ApiKeyGrant, Authentication } from "../access/grant.js";

/** The answer to a request whose key was refused or could not be checked. */
export function keyRefusal(result: Exclude<Authentication, ApiKeyGrant>): ApiError {
  switch (result) {
    case "invalid_api_key":
      return { kind: "invalid_api_key" };
    case "too_many_guesses":
      return { kind: "rate_limited", limitPerMinute: ACCESS_LIMITS.unknownKeysPerMinute };
    case "unavailable":
      return CREDENTIALS_UNAVAILABLE;
    default:
      return unreachable(result);
  }
}
