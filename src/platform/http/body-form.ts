import type { ApiError } from "./api-error.js";
import type { RequestHead } from "./request-head.js";

/**
 * The service reads each body as whole, plain JSON in UTF-8. A request whose headers declare another kind of body is
 * refused, because its meaning would be a guess.
 */

const JSON_TYPE = /^application\/json[ \t]*(?:;.*)?$/i;
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*"?([^";\s]*)/gi;
/** US-ASCII is a subset of UTF-8. */
const READ_CHARSETS: ReadonlySet<string> = new Set(["utf-8", "utf8", "us-ascii"]);
const PART_OF_A_BODY: ApiError = {
  kind: "invalid",
  issues: [{ path: "headers.content-range", code: "custom", message: "A body cannot be sent in parts" }],
};

/**
 * HTTP-20, HTTP-22: every request that may change something is checked, even if its body is not read. A webhook is
 * checked before its signature, because a provider may sign a body and then compress it. The refusal says nothing about
 * the route.
 */
export function refusalOfCoding({
  contentEncoding,
  contentRange,
}: Pick<RequestHead, "contentEncoding" | "contentRange">): ApiError | null {
  if (contentEncoding !== undefined && !isIdentity(contentEncoding)) return { kind: "encoded_body" };
  return contentRange === undefined ? null : PART_OF_A_BODY;
}

/** HTTP-16, HTTP-21: if a request's body is read as JSON, its content type is checked too. */
export function refusalOfForm(
  head: Pick<RequestHead, "contentEncoding" | "contentRange" | "contentType">,
): ApiError | null {
  const refusal = refusalOfCoding(head);
  if (refusal !== null) return refusal;
  const { contentType } = head;
  // Nearly every request has exactly this type.
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
