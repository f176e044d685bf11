import type { ProviderOverridesBody } from "./wire/override-response-schema.js";
import { parseOverrideBody } from "./wire/override-schema.js";
import { createOverrides, type Overrides, type OverridesOptions } from "./change-overrides.js";
import type { DrillRead } from "./service.js";
import { drillPageSizeParameter } from "./wire/drill-history-response-schema.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { parseTimestamp } from "../../domain/vocabulary/timestamp.js";
import { ADMINISTRATION_UNAVAILABLE, READ_UNAVAILABLE } from "../../platform/http/api-error.js";
import { PAGE_PARAMETERS, readCursor } from "../../platform/http/page-query.js";
import { Query } from "../../platform/http/query.js";
import type { ReadLog } from "../../platform/postgres/database-read.js";
import { modeParameter } from "../../platform/wire/query-schema.js";
import type { Route, SessionRoute } from "../../path/front/route.js";

const LEADERS = { roles: ["owner", "admin"] } as const;

export interface OverrideRoutesParts extends OverridesOptions {
  providers: readonly string[];
  readLog: ReadLog<DrillRead>;
}

/** The routes that pin a provider's health and list past drills. */
export function overrideRoutes(parts: OverrideRoutesParts): Route[] {
  return [providerOverrideRoute(parts, createOverrides(parts).change), drillHistoryRoute(parts.readLog)];
}

/** SVC-16: GET /v1/admin/provider-overrides/history lists the drills that applied in a mode, newest first. */
function drillHistoryRoute(read: ReadLog<DrillRead>): SessionRoute {
  return {
    method: "GET",
    path: "/v1/admin/provider-overrides/history",
    access: LEADERS,
    bodyBytesMax: null,
    query: [...PAGE_PARAMETERS, "mode"],
    async handle(exchange, { workspaceId }) {
      const query = new Query(exchange.head.query);
      const page = {
        pageSize: query.integer("page_size", drillPageSizeParameter),
        cursor: readCursor(query, "aud"),
        mode: query.oneOf("mode", modeParameter) ?? "live",
      };
      if (query.issues.length > 0) return exchange.fail({ kind: "invalid", issues: query.issues });
      const history = await read({ kind: "drills", workspaceId, page });
      if (history === null || typeof history === "string") return exchange.fail(READ_UNAVAILABLE);
      exchange.send(200, history.json);
    },
  };
}

/**
 * PUT /v1/admin/provider-overrides/:provider pins a provider's health, or lifts the pin with `state: null`. It
 * answers 200 `{provider, overrides: [{state, score, payment_method, currency, mode?, expires_at?}]}` with the
 * provider's current pins, oldest first. If several pins cover a segment, the last one applies. This node shows the
 * change as soon as it has answered.
 */
function providerOverrideRoute(
  { providers, now }: Pick<OverrideRoutesParts, "providers" | "now">,
  change: Overrides["change"],
): SessionRoute {
  return {
    method: "PUT",
    path: "/v1/admin/provider-overrides/:provider",
    access: LEADERS,
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    async handle(exchange, { workspaceId, userId }, [provider = ""], text) {
      const body = parseOverrideBody(text, now());
      if (!body.ok) return exchange.fail({ kind: "invalid", issues: body.issues });
      if (!providers.includes(provider)) {
        return exchange.fail({ kind: "not_found", message: "Provider not found" });
      }
      const { state, score, payment_method: paymentMethod = null, currency = null } = body.value;
      const { mode = "both", expires_at } = body.value;
      const overrides = await change(
        { workspaceId, actor: userId },
        {
          provider,
          paymentMethod,
          currency,
          state,
          ...(score === undefined ? {} : { score }),
          ...(mode === "both" ? {} : { mode }),
          ...(expires_at === undefined ? {} : { expiresAtMs: parseTimestamp(expires_at) ?? 0 }),
        },
      );
      if (overrides === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      exchange.send(200, JSON.stringify({ provider, overrides } satisfies ProviderOverridesBody));
    },
  };
}
