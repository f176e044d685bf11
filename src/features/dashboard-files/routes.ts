import type { Exchange } from "../../platform/http/exchange.js";
import { PAGE_SECURITY_HEADERS } from "../../platform/http/page-headers.js";
import type { PublicRoute } from "../../path/front/route.js";
import { sendStaticFile } from "../../platform/http/send-static-file.js";
import { encoded, type StaticFile, type StaticFiles } from "../../platform/http/static-files.js";

const PREFIX = "/dashboard/";
const INDEX = "index.html";
/** The build names each file in this folder by a hash of its content, so the content of a name never changes. */
const HASHED_FOLDER = "assets/";
/** Browsers name `text/html` in `Accept` when they open a page. API clients do not. */
const TAKES_A_PAGE = /\btext\/html\b/i;
const TO_DASHBOARD = [
  ["location", "/dashboard"],
  ["vary", "accept"],
] as const;
const SINGLE_SIGN_ON = '<meta name="payinference-single-sign-on" content="1" />';
/** A path whose last part has an extension names a file. Any other path is a place inside the dashboard. */
const NAMES_A_FILE = /\.[A-Za-z0-9]+$/;

/**
 * DASH-32: adds a mark to the dashboard's HTML. Call it if single sign-on is set. The dashboard therefore knows without
 * a request whether to draw the button, and nothing moves after the first paint.
 */
export function withSingleSignOn(files: StaticFiles): StaticFiles {
  const index = files.get(INDEX);
  const plain = index?.encodings.find(({ encoding }) => encoding === null);
  if (index === undefined || plain === undefined) return files;
  const html = Buffer.from(plain.bytes).toString("utf8").replace("</head>", `${SINGLE_SIGN_ON}</head>`);
  return new Map([...files, [INDEX, { ...index, encodings: [encoded(null, Buffer.from(html))] }]]);
}

/**
 * GET /dashboard and everything under it serve the built dashboard from memory. The path of a place inside the
 * dashboard gets the index file, whose code opens the place. A missing file, or a missing build, is answered 404.
 */
export function dashboardRoutes(files: StaticFiles): PublicRoute[] {
  const answer = (exchange: Exchange, name: string): void => {
    const file = files.get(name);
    if (file !== undefined) return send(exchange, name, file);
    const index = NAMES_A_FILE.test(name) || name.startsWith(HASHED_FOLDER) ? undefined : files.get(INDEX);
    if (index !== undefined) return send(exchange, INDEX, index);
    const message = files.has(INDEX) ? "File not found" : "The dashboard is not built on this node";
    return exchange.fail({ kind: "not_found", message });
  };
  return [
    {
      method: "GET",
      path: "/",
      access: "public",
      refusesUnknownQuery: "nobody",
      handle: sendToDashboard,
    },
    {
      method: "GET",
      path: "/dashboard",
      access: "public",
      refusesUnknownQuery: "nobody",
      line: "slices",
      handle: (exchange) => answer(exchange, INDEX),
    },
    {
      method: "GET",
      path: `${PREFIX}*`,
      access: "public",
      refusesUnknownQuery: "nobody",
      line: "slices",
      handle: (exchange, [path = ""]) => answer(exchange, path.slice(PREFIX.length)),
    },
  ];
}

/** SVC-15: a person who opens the service's address in a browser wants the dashboard. */
function sendToDashboard(exchange: Exchange): void {
  if (!TAKES_A_PAGE.test(exchange.head.accept ?? ""))
    return exchange.fail({ kind: "not_found", message: "Route not found" });
  exchange.send(302, "", TO_DASHBOARD, "text/plain; charset=utf-8");
}

function send(exchange: Exchange, name: string, file: StaticFile): void {
  const cache = name.startsWith(HASHED_FOLDER) ? "immutable" : "alwaysAsk";
  sendStaticFile(exchange, file, cache, PAGE_SECURITY_HEADERS);
}
