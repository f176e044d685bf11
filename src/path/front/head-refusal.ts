import type { ApiError } from "../../platform/http/api-error.js";
import { refusalOfCoding, refusalOfForm } from "../../platform/http/body-form.js";
import type { Exchange } from "../../platform/http/exchange.js";
import { unknownParameters } from "./known-query.js";
import type { AttemptRoute, ScopedRoute, SessionRoute } from "./route.js";

/**
 * HTTP-5, HTTP-6: refuses a request because of its query or headers. Call it after the checks of credentials and before
 * the body is read. The body of a GET is never read, so its form is not checked.
 */
export function refusalOfHead(
  route: AttemptRoute | ScopedRoute | SessionRoute,
  exchange: Exchange,
): ApiError | null {
  const takesAnyQuery = route.access === "attempt" && route.refusesUnknownQuery === "nobody";
  const unknown = takesAnyQuery ? null : unknownParameters(route, exchange);
  if (unknown !== null) return unknown;
  if (route.bodyBytesMax !== null) return refusalOfForm(exchange.head);
  return route.method === "GET" ? null : refusalOfCoding(exchange.head);
}
