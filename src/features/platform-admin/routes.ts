import { hasMoreOf, PAGE_PARAMETERS, readCursor, readPage } from "../../platform/http/page-query.js";
import { type TenantListBody, type TenantResponseBody, accountReleaseValidator } from "./wire.js";
import { type Platform, type PlatformOptions, createPlatform } from "./service.js";
import { tenantBody } from "./tenant-response.js";
import type { SessionRoute, Route } from "../../path/front/route.js";
import { ACCOUNTS_UNAVAILABLE, WORKSPACE_NOT_FOUND } from "../../platform/http/api-error.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";

/** The routes by which the platform's administrator manages all workspaces. */
export function platformAdminRoutes(parts: PlatformOptions): Route[] {
  const platform = createPlatform(parts);
  return [
    listWorkspacesRoute(platform.list),
    setWorkspaceStatusRoute("suspend", platform.setStatus),
    setWorkspaceStatusRoute("activate", platform.setStatus),
    releaseAccountRoute(platform.releaseAccount),
  ];
}

/** GET /v1/admin/workspaces is for the platform's administrator. */
function listWorkspacesRoute(list: Platform["list"]): SessionRoute {
  return {
    method: "GET",
    path: "/v1/admin/workspaces",
    access: { platformAdmin: true },
    bodyBytesMax: null,
    query: PAGE_PARAMETERS,
    async handle(exchange) {
      const page = readPage(exchange, (query) => readCursor(query, "ws"), LIMITS.wholeListRowsMax);
      if (page === null) return;
      const found = await list(page);
      if (found === "unavailable") return exchange.fail(ACCOUNTS_UNAVAILABLE);
      const body = { workspaces: found.rows.map(tenantBody), ...hasMoreOf(page, found.hasMore) };
      exchange.send(200, JSON.stringify(body satisfies TenantListBody));
    },
  };
}

/** POST /v1/admin/workspaces/:id/suspend and /activate, for the platform's administrator: 200 `{workspace}`. */
function setWorkspaceStatusRoute(
  verb: "suspend" | "activate",
  setStatus: Platform["setStatus"],
): SessionRoute {
  const status = verb === "suspend" ? "suspended" : "active";
  return {
    method: "POST",
    onRepeat: "replay",
    path: `/v1/admin/workspaces/:id/${verb}`,
    access: { platformAdmin: true },
    bodyBytesMax: null,
    async handle(exchange, principal, [workspaceId = ""]) {
      const result = await setStatus(principal, workspaceId, status);
      if (result === "unavailable") return exchange.fail(ACCOUNTS_UNAVAILABLE);
      if (result === null) return exchange.fail(WORKSPACE_NOT_FOUND);
      if (result === "own") {
        return exchange.fail({ kind: "conflict", message: "Your own workspace cannot be suspended" });
      }
      if (result === "erased")
        return exchange.fail({ kind: "conflict", message: "The workspace is being erased" });
      if (result === "moving")
        return exchange.fail({ kind: "conflict", message: "The workspace moves to another cell" });
      exchange.send(200, JSON.stringify({ workspace: tenantBody(result) } satisfies TenantResponseBody));
    },
  };
}

/** POST /v1/admin/accounts/release, ADM-9, for the platform's administrator: 204. The address is free again. */
function releaseAccountRoute(release: Platform["releaseAccount"]): SessionRoute {
  return {
    method: "POST",
    onRepeat: "replay",
    path: "/v1/admin/accounts/release",
    access: { platformAdmin: true },
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    async handle(exchange, principal, _params, text) {
      const parsed = accountReleaseValidator.parse(text);
      if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
      const result = await release(principal, parsed.value);
      if (result === "unavailable") return exchange.fail(ACCOUNTS_UNAVAILABLE);
      if (result === "unknown") return exchange.fail({ kind: "not_found", message: "Account not found" });
      if (result === "own") {
        const message = "The platform admin's own address cannot be released";
        return exchange.fail({ kind: "conflict", message });
      }
      exchange.sendNoContent();
    },
  };
}
