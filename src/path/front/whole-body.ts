import { decodeUtf8 } from "../../platform/wire/body-validator.js";
import type { ApiError } from "../../platform/http/api-error.js";
import { collectBody } from "../../platform/http/body-reader.js";
import type { Exchange } from "../../platform/http/exchange.js";
import type { AttemptRoute, ScopedRoute, SessionRoute } from "./route.js";

/** Resolves to the body's text, or to its error (HTTP-6: 413, 400). The text is `""` for a route without a body. */
export type WholeBody = () => Promise<{ text: string } | { error: ApiError }>;

/**
 * Begins to read the body, because its bytes must be taken while credentials are looked up. Call the returned function
 * after the checks that precede the body. It resolves to the text or the error.
 */
export function beginWholeBody(
  exchange: Exchange,
  route: AttemptRoute | ScopedRoute | SessionRoute,
): WholeBody {
  if (route.bodyBytesMax === null) {
    return async () => {
      await beforeActing(exchange, route);
      return { text: "" };
    };
  }
  const collecting = collectBody(exchange, route.bodyBytesMax);
  return async () => {
    const bytes = await collecting;
    if (bytes === null) return { error: { kind: "body_too_large" } };
    const text = decodeUtf8(bytes);
    return text === null ? { error: INVALID_UTF8 } : { text };
  };
}

/**
 * A route without a body awaits this before it changes anything, because the end of the request may be invalid. Null if
 * there is nothing to wait for.
 */
export function beforeActing(
  exchange: Exchange,
  { method }: Pick<ScopedRoute, "method">,
): Promise<void> | null {
  return method === "GET" ? null : exchange.ended();
}

export const INVALID_UTF8: ApiError = {
  kind: "invalid",
  issues: [{ path: "", code: "invalid_json", message: "The body is not valid UTF-8" }],
};
