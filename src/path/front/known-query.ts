import { safePathSegment, type ValidationIssue } from "../../platform/wire/validation-issue.js";
import { roleHasScope } from "../access/role-scopes.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { ROLES } from "../../domain/vocabulary/vocabulary.js";
import type { ApiError } from "../../platform/http/api-error.js";
import type { Exchange } from "../../platform/http/exchange.js";
import type { Route } from "./route.js";

/** AUTH-15: a session says by it which mode it reads. */
const MODE = "mode";

/** True where a session may come, which names its mode; a key may name one too, and its own holds. */
function takesMode({ access }: Route): boolean {
  if (typeof access !== "object" || !("scope" in access)) return false;
  return ROLES.some((role) => roleHasScope(role, access.scope));
}

/** Every name of a query parameter that `route` takes. */
function queryNamesOf(route: Route): readonly string[] {
  const own = route.query ?? [];
  return takesMode(route) ? [...own, MODE] : own;
}

/**
 * ERR-16: an unknown parameter is refused on every endpoint, `query.<name>`, its name redacted as a body's field
 * name is. Asked for where the body is looked at (HTTP-5); null where there is none.
 */
export function unknownParameters(route: Route, { head }: Exchange): ApiError | null {
  // Nearly every request: nothing else is done for it.
  if (head.query === "") return null;
  const known = queryNamesOf(route);
  const names = new Set(new URLSearchParams(head.query).keys());
  const unknown = [...names].filter((name) => !known.includes(name));
  if (unknown.length === 0) return null;
  const issues = unknown.slice(0, LIMITS.validationIssuesMax).map((name): ValidationIssue => ({
    path: `query.${safePathSegment(name)}`,
    code: "unrecognized_keys",
    message: "Unrecognized key",
  }));
  return { kind: "invalid", issues };
}
