import type { ApiError } from "./api-error.js";
import type { RequestHead } from "./request-head.js";

/**
 * What the headers say a body is, where that is not what its bytes are read as: plain JSON in UTF-8, all of it. A body
 * that is read as something else than its sender meant is refused; it is never guessed at.
 */

const JSON_TYPE = /^application\/json[ \t]*(?:;.*)?$/i;
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*"?([^";\s]*)/gi;
/** US-ASCII is a part of UTF-8. */
const READ_CHARSETS: ReadonlySet<string> = new Set(["utf-8", "utf8", "us-ascii"]);
const PART_OF_A_BODY: ApiError = {
  kind: "invalid",
  issues: [{ path: "headers.content-range", code: "custom", message: "A body cannot be sent in parts" }],
};

/**
 * HTTP-20, HTTP-22: of every request that may change something, also where its body is not read. A webhook's comes before
 * its signature: a provider may sign what it compresses afterwards, and the refusal tells nothing of the route.
 */
export function refusalOfCoding({
  contentEncoding,
  contentRange,
}: Pick<RequestHead, "contentEncoding" | "contentRange">): ApiError | null {
  if (contentEncoding !== undefined && !isIdentity(contentEncoding)) return { kind: "encoded_body" };
  return contentRange === undefined ? null : PART_OF_A_BODY;
}

/** The same and HTTP-16, HTTP-21: of a request whose body is read as JSON. */
export function refusalOfForm(
  head: Pick<RequestHead, "contentEncoding" | "contentRange" | "contentType">,
): ApiError | null {
  const refusal = refusalOfCoding(head);
  if (refusal !== null) return refusal;
  const { contentType } = head;
  // Nearly every request.
  if (contentType === "application/json") return null;
  if (contentType === undefined || !JSON_TYPE.test(contentType)) return { kind: "unsupported_media_type" };
  const charsets = [...contentType.matchAll(CHARSET)].map(([, charset = ""]) => charset.toLowerCase());
  return charsets.every((charset) => READ_CHARSETS.has(charset)) ? null : { kind: "unsupported_charset" };
}

/** RFC 9110 §8.4: a list of codings. `identity` is none, and neither is an empty element. */
function isIdentity(contentEncoding: string): boolean {
  const codings = contentEncoding.split(",").map((coding) => coding.trim().toLowerCase());
  return codings.every((coding) => coding === "" || coding === "identity");
}
