import type { Exchange, ExtraHeaders } from "../exchange.js";
import { PAGE_SECURITY_HEADERS } from "../page-headers.js";
import type { PublicRoute } from "../route.js";
import { chooseEncoding, matchesEtag, type StaticFile, type StaticFiles } from "../static-files.js";

const PREFIX = "/dashboard/";
const INDEX = "index.html";
/** Named by a hash of what is in them, so that a name never means anything else. */
const HASHED_FOLDER = "assets/";
/** A path whose last part has an extension names a file; any other one is a place in the page. */
const NAMES_A_FILE = /\.[A-Za-z0-9]+$/;

const YEAR_SECONDS = 31_536_000;
const IMMUTABLE = `public, max-age=${YEAR_SECONDS}, immutable`;
const ALWAYS_ASK = "no-cache";

/**
 * GET /dashboard and everything under it: the built page from memory. The address of a place in the page is answered with
 * the page itself, which finds the place. Without built files, and for files there are not: 404 as everywhere.
 */
export function dashboardRoutes(files: StaticFiles): PublicRoute[] {
  const answer = (exchange: Exchange, name: string): void => {
    const file = files.get(name);
    if (file !== undefined) return sendStaticFile(exchange, name, file);
    const index = NAMES_A_FILE.test(name) || name.startsWith(HASHED_FOLDER) ? undefined : files.get(INDEX);
    if (index !== undefined) return sendStaticFile(exchange, INDEX, index);
    const message = files.has(INDEX) ? "File not found" : "The dashboard is not built on this node";
    return exchange.fail({ kind: "not_found", message });
  };
  return [
    { method: "GET", path: "/dashboard", access: "public", handle: (exchange) => answer(exchange, INDEX) },
    {
      method: "GET",
      path: `${PREFIX}*`,
      access: "public",
      handle: (exchange, [path = ""]) => answer(exchange, path.slice(PREFIX.length)),
    },
  ];
}

function sendStaticFile(exchange: Exchange, name: string, file: StaticFile): void {
  const { encoding, etag, bytes } = chooseEncoding(file, exchange.head.acceptEncoding);
  const headers: ExtraHeaders = [
    ...PAGE_SECURITY_HEADERS,
    ["cache-control", name.startsWith(HASHED_FOLDER) ? IMMUTABLE : ALWAYS_ASK],
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
