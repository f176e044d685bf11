import { createHash } from "node:crypto";
import { JSON_CONTENT_TYPE } from "../../../platform/http/exchange.js";
import type { PublicRoute } from "../../../path/front/route.js";
import { matchesEtag } from "../../../platform/http/static-files.js";

export const OPENAPI_PATH = "/openapi.json";

/** GET /openapi.json: the same bytes for the life of the process; 304 to who has them. */
export function openApiRoute(document: object): PublicRoute {
  const body = Buffer.from(JSON.stringify(document));
  const etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
  const headers = [
    ["x-content-type-options", "nosniff"],
    ["cache-control", "no-store"],
    ["content-type", JSON_CONTENT_TYPE],
    ["etag", etag],
  ] as const;
  return {
    method: "GET",
    path: OPENAPI_PATH,
    access: "public",
    line: "slices",
    handle(exchange) {
      exchange.sendFile(matchesEtag(exchange.head.ifNoneMatch, etag) ? 304 : 200, body, headers);
    },
  };
}
