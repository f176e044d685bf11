import type { HttpResponse } from "uWebSockets.js";
import { ID_CHARS, type UnwrittenId } from "../../domain/ids/ids.js";

export const REQUEST_ID_PREFIX = "req_";

/**
 * The value of FIRST_HEADER, followed by three more headers. One call into uWebSockets.js thus replaces four calls that
 * would copy two strings each. It works because `writeHeader` does not filter CR and LF. Pass nothing that may contain
 * CR or LF: content types are constants, and a request id is the service's own or matches `[A-Za-z0-9._-]`.
 */
export function headersOfEveryAnswer(contentType: string, cacheControl = "no-store"): string {
  return `nosniff\r\ncache-control: ${cacheControl}\r\ncontent-type: ${contentType}\r\nx-request-id: `;
}
export const FIRST_HEADER = "x-content-type-options";
export const JSON_CONTENT_TYPE = "application/json; charset=utf-8";
export const JSON_HEADERS = headersOfEveryAnswer(JSON_CONTENT_TYPE);

/**
 * The headers of a JSON answer as bytes, for a request id that the service has made. Nearly all answers have such an
 * id. uWebSockets.js copies a string, but uses bytes without a copy: 1.01 to 1.03 times as fast in row (c) of
 * docs/performance-log.md. Each answer writes its id into these bytes.
 */
const FIRST_HEADER_BYTES = Buffer.from(FIRST_HEADER);
const JSON_HEADERS_BYTES = Buffer.from(JSON_HEADERS + REQUEST_ID_PREFIX + "0".repeat(ID_CHARS));
const OWN_ID_AT = JSON_HEADERS_BYTES.length - ID_CHARS;

export function writeJsonHeaders(res: HttpResponse, ownId: UnwrittenId): void {
  ownId.writeTo(JSON_HEADERS_BYTES, OWN_ID_AT);
  res.writeHeader(FIRST_HEADER_BYTES, JSON_HEADERS_BYTES);
}
