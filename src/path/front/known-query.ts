import { safePathSegment, type ValidationIssue } from "../../platform/wire/validation-issue.js";
import { roleHasScope } from "../access/role-scopes.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { ROLES } from "../../domain/vocabulary/vocabulary.js";
import type { ApiError } from "../../platform/http/api-error.js";
import type { Exchange } from "../../platform/http/exchange.js";
import type { Route } from "./route.js";

/** AUTH-15: the parameter with which a session names the mode that it reads. */
const MODE = "mode";

/** True if sessions can use the route, because they may name a mode. With a key, the key's own mode applies instead. */
function takesMode({ access }: Route): boolean {
  if (typeof access !== "object" || !("scope" in access)) return false;
  return ROLES.some((role) => roleHasScope(role, access.scope));
}

/** The names of all query parameters that `route` takes. */
function queryNamesOf(route: Route): readonly string[] {
  const own = route.query ?? [];
  return takesMode(route) ? [...own, MODE] : own;
}

/**
 * ERR-16: every endpoint refuses an unknown parameter as `query.<name>`. The name is redacted like the name of a body's
 * field. Call it where the body is checked (HTTP-5). Null if all parameters are known.
 */
export function unknownParameters(route: Route, { head }: Exchange): ApiError | null {
  // A shortcut, because nearly all requests have no query.
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
