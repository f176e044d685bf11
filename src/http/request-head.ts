import type { HttpRequest } from "uWebSockets.js";
import { LIMITS } from "../shared/limits.js";

/** The headers the service reads, copied out of the request before the first `await`; `undefined` where absent. */
export interface RequestHead {
  apiKey: string | undefined;
  contentType: string | undefined;
  idempotencyKey: string | undefined;
  /** Where a session's token may be, and what tells where a request comes from (contract §3). */
  authorization: string | undefined;
  cookie: string | undefined;
  origin: string | undefined;
  secFetchSite: string | undefined;
  host: string | undefined;
  /** All lines of it, in order, as one list. */
  forwardedFor: string | undefined;
  /** Standard Webhooks. */
  webhookId: string | undefined;
  webhookTimestamp: string | undefined;
  webhookSignature: string | undefined;
  /** Of what a browser or a tool has at hand, and of what it can unpack. */
  ifNoneMatch: string | undefined;
  acceptEncoding: string | undefined;
  /** The caller's own request id where it is well-formed. */
  requestId: string | undefined;
  /** Of the caller's trace, unchecked. */
  traceparent: string | undefined;
  /** What follows `?`, still encoded; read for the routes that ask for it. */
  query: string;
  /** False when the parser let through what contract §2 "HTTP framing" refuses. */
  wellFramed: boolean;
}

const REQUEST_ID = /^[A-Za-z0-9._-]+$/;
// RFC 9110 §7.2: a registered name or an IP literal, with an optional port.
const HOST = /^(?:[A-Za-z0-9._~!$&'()*+,;=%-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
const DIGITS = /^\d{1,15}$/;

/**
 * Copies what is needed from uWebSockets.js' stack-allocated request. `getHeader` would answer the first of several
 * headers of one name, so every header is looked at.
 */
export function readRequestHead(req: HttpRequest): RequestHead {
  const head: RequestHead = {
    apiKey: undefined,
    contentType: undefined,
    idempotencyKey: undefined,
    authorization: undefined,
    cookie: undefined,
    origin: undefined,
    secFetchSite: undefined,
    host: undefined,
    forwardedFor: undefined,
    webhookId: undefined,
    webhookTimestamp: undefined,
    webhookSignature: undefined,
    ifNoneMatch: undefined,
    acceptEncoding: undefined,
    requestId: undefined,
    traceparent: undefined,
    query: "",
    wellFramed: true,
  };
  let hosts = 0;
  let lengths = 0;
  let encodings = 0;
  req.forEach((name, value) => {
    switch (name) {
      case "host":
        hosts++;
        head.host = value;
        if (!HOST.test(value)) head.wellFramed = false;
        break;
      case "content-length":
        lengths++;
        if (!DIGITS.test(value)) head.wellFramed = false;
        break;
      case "transfer-encoding":
        encodings++;
        if (value !== "chunked") head.wellFramed = false;
        break;
      case "x-api-key":
        head.apiKey = joined(head.apiKey, value);
        break;
      case "content-type":
        head.contentType = joined(head.contentType, value);
        break;
      case "idempotency-key":
        head.idempotencyKey = joined(head.idempotencyKey, value);
        break;
      case "authorization":
        head.authorization = joined(head.authorization, value);
        break;
      case "cookie":
        // RFC 9113 §8.2.3: several cookie headers are one list of pairs.
        head.cookie = head.cookie === undefined ? value : `${head.cookie}; ${value}`;
        break;
      case "origin":
        head.origin = joined(head.origin, value);
        break;
      case "sec-fetch-site":
        head.secFetchSite = joined(head.secFetchSite, value);
        break;
      case "x-forwarded-for":
        head.forwardedFor = joined(head.forwardedFor, value);
        break;
      case "webhook-id":
        head.webhookId = joined(head.webhookId, value);
        break;
      case "webhook-timestamp":
        head.webhookTimestamp = joined(head.webhookTimestamp, value);
        break;
      case "webhook-signature":
        head.webhookSignature = joined(head.webhookSignature, value);
        break;
      case "if-none-match":
        head.ifNoneMatch = joined(head.ifNoneMatch, value);
        break;
      case "accept-encoding":
        head.acceptEncoding = joined(head.acceptEncoding, value);
        break;
      case "x-request-id":
        head.requestId = joined(head.requestId, value);
        break;
      case "traceparent":
        head.traceparent = joined(head.traceparent, value);
        break;
      default:
    }
  });
  if (hosts !== 1 || lengths > 1 || encodings > 1 || lengths + encodings > 1) head.wellFramed = false;
  const id = head.requestId;
  if (id !== undefined && (id.length > LIMITS.requestIdCharsMax || !REQUEST_ID.test(id)))
    head.requestId = undefined;
  return head;
}

/** RFC 9110 §5.3: repeated headers are one list; for ours that makes the value one that matches nothing. */
function joined(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before}, ${value}`;
}

/** `application/json`, parameters allowed. */
export function isJsonContentType(contentType: string | undefined): boolean {
  if (contentType === "application/json") return true;
  return contentType !== undefined && /^application\/json[ \t]*(?:;.*)?$/i.test(contentType);
}
