import type { ApiError } from "./api-error.js";
import type { RequestHead } from "./request-head.js";

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
 * HTTP-20, HTTP-22: the check for every request that may change something, even if its body is not read. A webhook is
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
