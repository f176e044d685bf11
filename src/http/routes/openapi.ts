import { createHash } from "node:crypto";
import type { PublicRoute } from "../route.js";
import { matchesEtag } from "../static-files.js";

export const OPENAPI_PATH = "/openapi.json";

/** GET /openapi.json: the same bytes for the life of the process; 304 to who has them. */
export function openApiRoute(document: object): PublicRoute {
  const body = JSON.stringify(document);
  const etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
  return {
    method: "GET",
    path: OPENAPI_PATH,
    access: "public",
    handle(exchange) {
      if (matchesEtag(exchange.head.ifNoneMatch, etag)) return exchange.sendNotModified([["etag", etag]]);
      exchange.send(200, body, [["etag", etag]]);
    },
  };
}
