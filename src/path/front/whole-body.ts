import { createValidator, decodeUtf8 } from "../../platform/wire/body-validator.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { ApiError } from "../../platform/http/api-error.js";
import { collectBody } from "../../platform/http/body-reader.js";
import type { Exchange } from "../../platform/http/exchange.js";
import { refusalOfForm } from "../../platform/http/request-head.js";
import { mayLackBody, type AttemptRoute, type ScopedRoute, type SessionRoute } from "./route.js";

/** Resolves to the body's text, or to its error (HTTP-6: 413, 415, 400). The text is `""` for a route without a body. */
export type WholeBody = () => Promise<{ text: string } | { error: ApiError }>;

/**
 * Begins to read the body, because its bytes must be taken while credentials are looked up. Call the returned function
 * after the checks that precede the body. It resolves to the text or the error.
 */
export function beginWholeBody(
  exchange: Exchange,
  route: AttemptRoute | ScopedRoute | SessionRoute,
): WholeBody {
  const { bodyBytesMax, method } = route;
  if (bodyBytesMax !== null) {
    const collecting = collectBody(exchange, bodyBytesMax);
    if (!mayLackBody(route)) return async () => bodyOf(await collecting);
    return async () => optionalBodyOf(exchange, await collecting);
  }
  if (method === "GET") return async () => NO_BODY;
  const collecting = collectBody(exchange, LIMITS.smallBodyBytesMax);
  return async () => noBodyOf(exchange, await collecting);
}

const NO_BODY = { text: "" } as const;

/** `bytes` is null if the body is too large. */
function bodyOf(bytes: Uint8Array | null): { text: string } | { error: ApiError } {
  if (bytes === null) return { error: { kind: "body_too_large" } };
  const text = decodeUtf8(bytes);
  return text === null ? { error: INVALID_UTF8 } : { text };
}

/** A request without a body needs no content type, so the type is checked here and not with the head. */
function optionalBodyOf(
  { head }: Exchange,
  bytes: Uint8Array | null,
): { text: string } | { error: ApiError } {
  if (bytes !== null && bytes.length === 0) return { text: "{}" };
  const refusal = refusalOfForm(head);
  return refusal === null ? bodyOf(bytes) : { error: refusal };
}

const emptyValidator = createValidator<object>({
  type: "object",
  properties: {},
  additionalProperties: false,
});

/**
 * ERR-20: a route that changes something and takes no body accepts none, or an empty object, because many HTTP clients
 * send one with every POST. Both count as the same request (IDEM-10).
 */
function noBodyOf(exchange: Exchange, bytes: Uint8Array | null): { text: string } | { error: ApiError } {
  const body = optionalBodyOf(exchange, bytes);
  if ("error" in body) return body;
  const parsed = emptyValidator.parse(body.text);
  return parsed.ok ? NO_BODY : { error: { kind: "invalid", issues: parsed.issues } };
}

export const INVALID_UTF8: ApiError = {
  kind: "invalid",
  issues: [{ path: "", code: "invalid_json", message: "The body is not valid UTF-8" }],
};
