import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { Route } from "../../path/front/route.js";
import { ACCOUNTS_UNAVAILABLE, WORKSPACE_NOT_FOUND } from "../../platform/http/api-error.js";
import { PAGE_PARAMETERS, readCursor, readPage } from "../../platform/http/page-query.js";
import type { Erasure } from "./queries.js";
import { createErasures, type ErasuresOptions } from "./service.js";
import type { ErasureBody, ErasureListBody, ErasureResponseBody } from "./wire/erasure-response-schema.js";
import { newErasureValidator } from "./wire/erasure-schema.js";

const ACCESS = { platformAdmin: true } as const;
const PATH = "/v1/admin/erasures";

/** RET-19 and ADM-18, for the platform's administrator. */
export function erasureRoutes(options: ErasuresOptions): Route[] {
  const erasures = createErasures(options);
  return [
    {
      method: "GET",
      path: PATH,
      access: ACCESS,
      bodyBytesMax: null,
      query: PAGE_PARAMETERS,
      async handle(exchange) {
        const page = readPage(exchange, (query) => readCursor(query, "ers"));
        if (page === null) return;
        const found = await erasures.list(page);
        if (found === "unavailable") return exchange.fail(ACCOUNTS_UNAVAILABLE);
        const body = { erasures: found.rows.map(erasureBody), has_more: found.hasMore };
        exchange.send(200, JSON.stringify(body satisfies ErasureListBody));
      },
    },
    {
      method: "POST",
      onRepeat: "replay",
      path: PATH,
      access: ACCESS,
      bodyBytesMax: LIMITS.smallBodyBytesMax,
      async handle(exchange, principal, _params, text) {
        const parsed = newErasureValidator.parse(text);
        if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
        const { workspace_id: workspaceId, merchant_id: merchantId = null } = parsed.value;
        const asked = await erasures.create(principal, { workspaceId, merchantId });
        switch (asked) {
          case "unavailable":
            return exchange.fail(ACCOUNTS_UNAVAILABLE);
          case "unknown_workspace":
            return exchange.fail(WORKSPACE_NOT_FOUND);
          case "unknown_merchant":
            return exchange.fail({ kind: "not_found", message: "Merchant not found" });
          case "active":
            return exchange.fail({ kind: "conflict", message: "Suspend the workspace first" });
          case "moving":
            return exchange.fail({ kind: "conflict", message: "The workspace moves to another cell" });
          default:
            exchange.send(202, JSON.stringify({ erasure: erasureBody(asked) } satisfies ErasureResponseBody));
        }
      },
    },
    {
      method: "GET",
      path: `${PATH}/:id`,
      access: ACCESS,
      bodyBytesMax: null,
      async handle(exchange, _principal, [id = ""]) {
        const found = await erasures.find(id);
        if (found === "unavailable") return exchange.fail(ACCOUNTS_UNAVAILABLE);
        if (found === null) return exchange.fail({ kind: "not_found", message: "Erasure not found" });
        exchange.send(200, JSON.stringify({ erasure: erasureBody(found) } satisfies ErasureResponseBody));
      },
    },
  ];
}

function erasureBody(erasure: Erasure): ErasureBody {
  const { status, counts } = erasure;
  return {
    id: erasure.erasureId,
    kind: erasure.merchantId === null ? "workspace" : "merchant",
    workspace_id: erasure.workspaceId,
    merchant_id: erasure.merchantId,
    status,
    requested_by: erasure.requestedBy,
    requested_at: erasure.requestedAt.toISOString(),
    finished_at: erasure.finishedAt?.toISOString() ?? null,
    counts: status === "queued" && Object.keys(counts).length === 0 ? null : counts,
  };
}
