import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { DOCS_INITIALIZER, DOCS_SECURITY_POLICY, docsPage } from "../docs-page.js";
import { pageSecurityHeaders } from "../../../platform/http/page-headers.js";
import type { PublicRoute } from "../../../path/front/route.js";
import { sendStaticFile } from "../../../platform/http/send-static-file.js";
import { ownFile } from "../../../platform/node/own-files.js";
import { madeOnFirstUse } from "../../../platform/timing/made-on-first-use.js";
import { encoded, type StaticFile } from "../../../platform/http/static-files.js";

interface DocsFiles {
  /** A hash of all files' contents, so browsers may cache each file forever. */
  build: string;
  page: StaticFile;
  byName: ReadonlyMap<string, StaticFile>;
}

const JAVASCRIPT = "text/javascript; charset=utf-8";
const HEADERS = pageSecurityHeaders(DOCS_SECURITY_POLICY);

/** GET /docs and its files, served from memory. They are read on the first request. */
export function docsFileRoutes(): PublicRoute[] {
  /** Files that are loaded already are sent synchronously. A time slice measures only synchronous work. */
  const withFiles = madeOnFirstUse(loadFiles);
  return [
    {
      method: "GET",
      path: "/docs",
      access: "public",
      refusesUnknownQuery: "nobody",
      line: "slices",
      handle(exchange) {
        return withFiles(({ page }) => sendStaticFile(exchange, page, "alwaysAsk", HEADERS));
      },
    },
    {
      method: "GET",
      path: "/docs/:build/:file",
      access: "public",
      refusesUnknownQuery: "nobody",
      line: "slices",
      handle(exchange, [build = "", name = ""]) {
        return withFiles((files) => {
          const file = build === files.build ? files.byName.get(name) : undefined;
          if (file === undefined) return exchange.fail({ kind: "not_found", message: "Route not found" });
          sendStaticFile(exchange, file, "immutable", HEADERS);
        });
      },
    },
  ];
}

async function loadFiles(): Promise<DocsFiles> {
  const [script, style] = await Promise.all(["swagger-ui-bundle.js", "swagger-ui.css"].map(readBuilt));
  const contents: [name: string, contentType: string, bytes: Uint8Array][] = [
    ["swagger-ui-bundle.js", JAVASCRIPT, script as Uint8Array],
    ["swagger-ui.css", "text/css; charset=utf-8", style as Uint8Array],
    ["initializer.js", JAVASCRIPT, Buffer.from(DOCS_INITIALIZER)],
  ];
  const hash = createHash("sha256");
  for (const [, , bytes] of contents) hash.update(bytes);
  const build = hash.digest("hex").slice(0, 16);
  const files = await Promise.all(
    contents.map(async ([name, contentType, bytes]) => [name, await compressed(contentType, bytes)] as const),
  );
  const page = await compressed("text/html; charset=utf-8", Buffer.from(docsPage(build)));
  return { build, page, byName: new Map(files) };
}

/**
 * Reads a file of dist/docs, where the build puts Swagger UI. The running service therefore needs no package for it.
 */
function readBuilt(name: string): Promise<Uint8Array> {
  return readFile(ownFile(`docs/${name}`));
}

/** Runs on the thread pool. Compressing two megabytes on this thread would delay every decision of that moment. */
async function compressed(contentType: string, bytes: Uint8Array): Promise<StaticFile> {
  return { contentType, encodings: [encoded("gzip", await promisify(gzip)(bytes)), encoded(null, bytes)] };
}
