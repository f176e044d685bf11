import type { HttpRequest } from "uWebSockets.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { Mode } from "../../domain/vocabulary/vocabulary.js";
import type { ApiError } from "./api-error.js";

/** The headers that the service reads. They are copied before the first `await`. An absent header is `undefined`. */
export interface RequestHead {
  apiKey: string | undefined;
  contentType: string | undefined;
  /** The two headers that change what a body's bytes mean: RFC 9110 §8.4 and §14.4. */
  contentEncoding: string | undefined;
  contentRange: string | undefined;
  idempotencyKey: string | undefined;
  /** True if the header occurs twice. Two keys are not a valid key. */
  repeatsIdempotencyKey: boolean;
  /**
   * The two headers that may contain a session's token. The three headers after them tell where a request comes from
   * (AUTH-2).
   */
  authorization: string | undefined;
  cookie: string | undefined;
  origin: string | undefined;
  secFetchSite: string | undefined;
  host: string | undefined;
  /** All lines of the header, joined in order to one list. */
  forwardedFor: string | undefined;
  /** RFC 9110 §12.5.1, §12.5.3 and §13.1.2. Only pages and their files use them. */
  accept: string | undefined;
  acceptEncoding: string | undefined;
  ifNoneMatch: string | undefined;
  /** RFC 9110 §13.1.1. Only requests that store or publish a policy use it. */
  ifMatch: string | undefined;
  /** RFC 9110 §14.2 and §13.1.5. Only file downloads use them. */
  range: string | undefined;
  ifRange: string | undefined;
  /** The three headers of Standard Webhooks. */
  webhookId: string | undefined;
  webhookTimestamp: string | undefined;
  webhookSignature: string | undefined;
  /** `payinference-workspace`: the workspace whose secret signed a webhook. */
  workspace: string | undefined;
  /** Only a sign-in uses it. */
  userAgent: string | undefined;
  /** The caller's own request id, if it is well-formed. */
  requestId: string | undefined;
  /** The caller's trace context, as it was sent. */
  traceparent: string | undefined;
  /** The text after `?`, still encoded. */
  query: string;
  /** True if the body is chunked. Bytes after it on the connection cannot be trusted. */
  isChunked: boolean;
  /** False if the parser accepted framing that HTTP-8 refuses. */
  wellFramed: boolean;
}

/** The API key of a request, and its workspace and mode. */
export interface RequestCaller {
  /** `key_…` */
  readonly actor: string;
  /** `ws_…` */
  readonly workspaceId: string;
  readonly mode: Mode;
}

/** The prefix of the ids that the service gives to requests without one. */
export const REQUEST_ID_PREFIX = "req_";

const REQUEST_ID = /^[A-Za-z0-9._-]+$/;
// RFC 9110 §7.2: a registered name or an IP literal, with an optional port.
const HOST = /^(?:[A-Za-z0-9._~!$&'()*+,;=%-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
const DIGITS = /^\d{1,15}$/;

/**
 * The head that `readRequestHead` is filling, and the counts of its headers. Module variables work, because `forEach`
 * calls back before it returns. A closure made for each request would run too few times to be optimised.
 */
let reading: RequestHead;
let hosts = 0;
let lengths = 0;
let encodings = 0;

function readHeader(name: string, value: string): void {
  switch (name) {
    case "host":
      hosts++;
      reading.host = value;
      if (!HOST.test(value)) reading.wellFramed = false;
      break;
    case "content-length":
      lengths++;
      if (!DIGITS.test(value)) reading.wellFramed = false;
      break;
    case "transfer-encoding":
      encodings++;
      if (value !== "chunked") reading.wellFramed = false;
      break;
    case "x-api-key":
      reading.apiKey = joined(reading.apiKey, value);
      break;
    case "content-type":
      reading.contentType = joined(reading.contentType, value);
      break;
    case "content-encoding":
      reading.contentEncoding = joined(reading.contentEncoding, value);
      break;
    case "content-range":
      reading.contentRange = joined(reading.contentRange, value);
      break;
    case "idempotency-key":
      if (reading.idempotencyKey !== undefined) reading.repeatsIdempotencyKey = true;
      reading.idempotencyKey = joined(reading.idempotencyKey, value);
      break;
    case "authorization":
      reading.authorization = joined(reading.authorization, value);
      break;
    case "cookie":
      // RFC 9113 §8.2.3: several cookie headers form one list of pairs.
      reading.cookie = reading.cookie === undefined ? value : `${reading.cookie}; ${value}`;
      break;
    case "origin":
      reading.origin = joined(reading.origin, value);
      break;
    case "sec-fetch-site":
      reading.secFetchSite = joined(reading.secFetchSite, value);
      break;
    case "x-forwarded-for":
      reading.forwardedFor = joined(reading.forwardedFor, value);
      break;
    case "accept-encoding":
      reading.acceptEncoding = joined(reading.acceptEncoding, value);
      break;
    case "if-none-match":
      reading.ifNoneMatch = joined(reading.ifNoneMatch, value);
      break;
    case "if-match":
      reading.ifMatch = joined(reading.ifMatch, value);
      break;
    case "range":
    case "if-range":
      readRangeHeader(name, value);
      break;
    case "user-agent":
      reading.userAgent = joined(reading.userAgent, value);
      break;
    case "x-request-id":
      reading.requestId = joined(reading.requestId, value);
      break;
    case "traceparent":
      reading.traceparent = joined(reading.traceparent, value);
      break;
    default:
      readHeaderOfFewRoutes(name, value);
  }
}

function readHeaderOfFewRoutes(name: string, value: string): void {
  switch (name) {
    case "accept":
      reading.accept = joined(reading.accept, value);
      break;
    case "webhook-id":
    case "webhook-timestamp":
    case "webhook-signature":
      readWebhookHeader(name, value);
      break;
    case "payinference-workspace":
      reading.workspace = joined(reading.workspace, value);
      break;
    default:
  }
}

function readRangeHeader(name: "range" | "if-range", value: string): void {
  if (name === "range") reading.range = joined(reading.range, value);
  else reading.ifRange = joined(reading.ifRange, value);
}

function readWebhookHeader(
  name: "webhook-id" | "webhook-timestamp" | "webhook-signature",
  value: string,
): void {
  if (name === "webhook-id") reading.webhookId = joined(reading.webhookId, value);
  else if (name === "webhook-timestamp") reading.webhookTimestamp = joined(reading.webhookTimestamp, value);
  else reading.webhookSignature = joined(reading.webhookSignature, value);
}

/**
 * Copies the headers of a uWebSockets.js request, which lives on the stack. It iterates over all headers, because
 * `getHeader` returns only the first of several with the same name.
 */
export function readRequestHead(req: HttpRequest): RequestHead {
  const head: RequestHead = {
    apiKey: undefined,
    contentType: undefined,
    contentEncoding: undefined,
    contentRange: undefined,
    idempotencyKey: undefined,
    repeatsIdempotencyKey: false,
    authorization: undefined,
    cookie: undefined,
    origin: undefined,
    secFetchSite: undefined,
    host: undefined,
    forwardedFor: undefined,
    accept: undefined,
    acceptEncoding: undefined,
    ifNoneMatch: undefined,
    ifMatch: undefined,
    range: undefined,
    ifRange: undefined,
    webhookId: undefined,
    webhookTimestamp: undefined,
    webhookSignature: undefined,
    workspace: undefined,
    userAgent: undefined,
    requestId: undefined,
    traceparent: undefined,
    query: "",
    isChunked: false,
    wellFramed: true,
  };
  reading = head;
  hosts = 0;
  lengths = 0;
  encodings = 0;
  req.forEach(readHeader);
  if (hosts !== 1 || lengths > 1 || encodings > 1 || lengths + encodings > 1) head.wellFramed = false;
  head.isChunked = encodings === 1 && head.wellFramed;
  const id = head.requestId;
  if (id !== undefined && (id.length > LIMITS.requestIdCharsMax || !REQUEST_ID.test(id)))
    head.requestId = undefined;
  return head;
}

/** RFC 9110 §5.3: repeated headers form one list. For most headers the service then refuses the list. */
function joined(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before}, ${value}`;
}

/**
 * The service reads each body as plain, complete JSON in UTF-8. It refuses requests whose headers declare another kind
 * of body, because it would have to guess what they mean.
 */

const JSON_TYPE = /^application\/json[ \t]*(?:;.*)?$/i;
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*"?([^";\s]*)/gi;
/** US-ASCII is a subset of UTF-8, so it is accepted. */
const READ_CHARSETS: ReadonlySet<string> = new Set(["utf-8", "utf8", "us-ascii"]);
const PART_OF_A_BODY: ApiError = {
  kind: "invalid",
  issues: [{ path: "headers.content-range", code: "custom", message: "A body cannot be sent in parts" }],
};

/**
 * HTTP-20, HTTP-22: the check for every request that may change something, even if its route takes no body. A webhook is
 * checked before its signature, because a provider may sign a body and compress it afterwards. The refusal reveals
 * nothing about the route.
 */
export function refusalOfCoding({
  contentEncoding,
  contentRange,
}: Pick<RequestHead, "contentEncoding" | "contentRange">): ApiError | null {
  if (contentEncoding !== undefined && !isIdentity(contentEncoding)) return { kind: "encoded_body" };
  return contentRange === undefined ? null : PART_OF_A_BODY;
}

/** HTTP-16, HTTP-21: the check for requests whose body is read as JSON. It includes the content type. */
export function refusalOfForm(
  head: Pick<RequestHead, "contentEncoding" | "contentRange" | "contentType">,
): ApiError | null {
  const refusal = refusalOfCoding(head);
  if (refusal !== null) return refusal;
  const { contentType } = head;
  // A shortcut for the type that nearly every request has.
  if (contentType === "application/json") return null;
  if (contentType === undefined || !JSON_TYPE.test(contentType)) return { kind: "unsupported_media_type" };
  const charsets = [...contentType.matchAll(CHARSET)].map(([, charset = ""]) => charset.toLowerCase());
  return charsets.every((charset) => READ_CHARSETS.has(charset)) ? null : { kind: "unsupported_charset" };
}

/** RFC 9110 §8.4: the header is a list of codings. `identity` and an empty element change nothing. */
function isIdentity(contentEncoding: string): boolean {
  const codings = contentEncoding.split(",").map((coding) => coding.trim().toLowerCase());
  return codings.every((coding) => coding === "" || coding === "identity");
}
