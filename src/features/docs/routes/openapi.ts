import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { JSON_CONTENT_TYPE } from "../../../platform/http/exchange.js";
import type { ExtraHeaders } from "../../../platform/http/api-error.js";
import type { PublicRoute } from "../../../path/front/route.js";
import { madeOnFirstUse } from "../../../platform/timing/made-on-first-use.js";
import { matchesEtag } from "../../../platform/http/static-files.js";

export const OPENAPI_PATH = "/openapi.json";

interface Text {
  body: Uint8Array;
  etag: string;
  headers: ExtraHeaders;
}

/**
 * GET /openapi.json: the bytes stay the same for the life of the process, and a client that has them gets 304. The
 * first request builds them, because few clients need them and building would make a start a tenth longer.
 */
export function openApiRoute(makeDocument: () => Promise<object>): PublicRoute {
  const withText = madeOnFirstUse(async () => {
    const document = await makeDocument();
    // Serialising begins in a new turn of the event loop, so that decisions can run before it.
    await nextTurn();
    return toText(document);
  });
  return {
    method: "GET",
    path: OPENAPI_PATH,
    access: "public",
    line: "slices",
    handle(exchange) {
      // A document that is finished already is sent synchronously. A time slice measures only synchronous work.
      return withText(({ body, etag, headers }) => {
        exchange.sendFile(matchesEtag(exchange.head.ifNoneMatch, etag) ? 304 : 200, body, headers);
      });
    },
  };
}

function toText(document: object): Text {
  const body = Buffer.from(JSON.stringify(document));
  const etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
  const headers: ExtraHeaders = [
    ["x-content-type-options", "nosniff"],
    ["cache-control", "no-store"],
    ["content-type", JSON_CONTENT_TYPE],
    ["etag", etag],
  ];
  return { body, etag, headers };
}
