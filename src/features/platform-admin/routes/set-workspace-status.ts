import type { TenantResponseBody } from "../wire.js";
import type { Platform } from "../service.js";
import type { WorkspaceStatus } from "../../../domain/vocabulary/vocabulary.js";
import { tenantBody } from "../tenant-response.js";
import type { SessionRoute } from "../../../path/front/route.js";
import { ACCOUNTS_UNAVAILABLE } from "../../../platform/http/api-error.js";

/** POST /v1/admin/workspaces/:id/suspend and /activate, for the platform's administrator: 200 `{workspace}`. */
export function setWorkspaceStatusRoute(
  verb: "suspend" | "activate",
  setStatus: Platform["setStatus"],
): SessionRoute {
  const status: WorkspaceStatus = verb === "suspend" ? "suspended" : "active";
  return {
    method: "POST",
    onRepeat: "replay",
    path: `/v1/admin/workspaces/:id/${verb}`,
    access: { platformAdmin: true },
    bodyBytesMax: null,
    async handle(exchange, principal, [workspaceId = ""]) {
      const result = await setStatus(principal, workspaceId, status);
      if (result === "unavailable") return exchange.fail(ACCOUNTS_UNAVAILABLE);
      if (result === null) return exchange.fail({ kind: "not_found", message: "Workspace not found" });
      if (result === "own") {
        return exchange.fail({ kind: "conflict", message: "Your own workspace cannot be suspended" });
      }
      exchange.send(200, JSON.stringify({ workspace: tenantBody(result) } satisfies TenantResponseBody));
    },
  };
}
