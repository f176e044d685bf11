import type { ApiError } from "../../platform/http/api-error.js";
import { refusalOfCoding, refusalOfForm, type RequestHead } from "../../platform/http/request-head.js";
import type { Exchange } from "../../platform/http/exchange.js";
import { Query } from "../../platform/http/query.js";
import { modeParameter } from "../../platform/wire/query-schema.js";
import { mayLackBody, type AttemptRoute, type ScopedRoute, type SessionRoute, type Route } from "./route.js";
import { safePathSegment, type ValidationIssue } from "../../platform/wire/validation-issue.js";
import { roleHasScope } from "../access/role-scopes.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { ROLES } from "../../domain/vocabulary/vocabulary.js";

const KEY_PATH = "headers.idempotency-key";
const REPEATED_KEY: ValidationIssue = { path: KEY_PATH, code: "custom", message: "Must be given once" };

/**
 * HTTP-5, HTTP-6: refuses a request because of its query or headers. Call it after the checks of credentials and before
 * the body is read. The body of a GET is never read, so its form is not checked. Where a route takes no body, the content
 * type is checked with the body that a request has anyway (ERR-20).
 */
export function refusalOfHead(
  route: AttemptRoute | ScopedRoute | SessionRoute,
  exchange: Exchange,
): ApiError | null {
  const takesAnyQuery = route.access === "attempt" && route.refusesUnknownQuery === "nobody";
  const refusal = takesAnyQuery
    ? null
    : (unknownParameters(route, exchange) ?? refusalOfMode(route, exchange));
  if (refusal !== null) return refusal;
  if (route.method === "GET") return null;
  const { head } = exchange;
  return refusalOfRepeatedKey(head) ?? (mayLackBody(route) ? refusalOfCoding(head) : refusalOfForm(head));
}

/** IDEM-9: refuses two lines of `Idempotency-Key`, whether or not the endpoint reads the key. */
export function refusalOfRepeatedKey({ repeatsIdempotencyKey }: RequestHead): ApiError | null {
  return repeatsIdempotencyKey ? { kind: "invalid", issues: [REPEATED_KEY] } : null;
}

/** AUTH-15: the parameter with which a session names the mode that it reads. */
const MODE = "mode";

/** True if sessions can use the route, because they may name a mode. With a key, the key's own mode applies instead. */
function takesMode({ access }: Route): boolean {
  if (typeof access !== "object" || !("scope" in access)) return false;
  return ROLES.some((role) => roleHasScope(role, access.scope));
}

/** AUTH-16: a mode that does not exist is refused with a key too, although the key's own mode applies. */
function refusalOfMode(route: Route, { head }: Exchange): ApiError | null {
  if (head.query === "" || !takesMode(route)) return null;
  const query = new Query(head.query);
  query.oneOf(MODE, modeParameter);
  return query.issues.length === 0 ? null : { kind: "invalid", issues: query.issues };
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

/**
 * uWebSockets.js' parser alters characters outside ASCII: it cuts bytes over 0x7f off both ends of a header's value,
 * and turns bytes that are not UTF-8 into U+FFFD. So two keys of a client that sends Latin-1 could become equal.
 */
const PRINTABLE_ASCII = /^[ -~]*$/;

/**
 * IDEM-1: the issue of a key that is empty, over 255 characters or not printable ASCII (400). Null
 * for a valid or absent key.
 */
export function idempotencyKeyIssue({
  idempotencyKey: key,
}: Pick<RequestHead, "idempotencyKey">): ValidationIssue | null {
  if (key === undefined) return null;
  const path = KEY_PATH;
  if (key.length === 0) return { path, code: "too_small", message: "Must hold at least 1 character(s)" };
  if (key.length > LIMITS.idempotencyKeyCharsMax) {
    return {
      path,
      code: "too_big",
      message: `Must hold at most ${LIMITS.idempotencyKeyCharsMax} character(s)`,
    };
  }
  if (!PRINTABLE_ASCII.test(key))
    return { path, code: "invalid_string", message: "Must hold printable ASCII characters" };
  return null;
}

/** IDEM-3, IDEM-5: the headers of a repeated answer. */
export const REPLAYED = [["idempotency-replayed", "true"]] as const;
export const REPLAYED_FOR_ANOTHER_BODY = [...REPLAYED, ["idempotency-body-mismatch", "true"]] as const;
