import type { Exchange } from "./exchange.js";
import type { ExtraHeaders } from "./api-error.js";
import { chooseEncoding, matchesEtag, type StaticFile } from "./static-files.js";

/** How long a browser may use a cached file without asking. */
const FILE_CACHE = {
  /** For a file whose name changes with its content. */
  immutable: "public, max-age=31536000, immutable",
  alwaysAsk: "no-cache",
} as const;

/** Sends the file in the best encoding that the request accepts, or 304 if the browser has it. */
export function sendStaticFile(
  exchange: Exchange,
  file: StaticFile,
  cache: keyof typeof FILE_CACHE,
  securityHeaders: ExtraHeaders,
): void {
  const { encoding, etag, bytes } = chooseEncoding(file, exchange.head.acceptEncoding);
  const headers: ExtraHeaders = [
    ...securityHeaders,
    ["cache-control", FILE_CACHE[cache]],
    ["etag", etag],
    ["vary", "accept-encoding"],
  ];
  if (matchesEtag(exchange.head.ifNoneMatch, etag)) return exchange.sendFile(304, bytes, headers);
  const described: ExtraHeaders = [...headers, ["content-type", file.contentType]];
  return exchange.sendFile(
    200,
    bytes,
    encoding === null ? described : [...described, ["content-encoding", encoding]],
  );
}
