import type { TenantListBody } from "../wire.js";
import type { Platform } from "../service.js";
import { tenantBody } from "../tenant-response.js";
import type { SessionRoute } from "../../../path/front/route.js";
import { ACCOUNTS_UNAVAILABLE } from "../../../platform/http/api-error.js";

/** GET /v1/admin/workspaces, for the platform's administrator. */
export function listWorkspacesRoute(list: Platform["list"]): SessionRoute {
  return {
    method: "GET",
    path: "/v1/admin/workspaces",
    access: { platformAdmin: true },
    bodyBytesMax: null,
    async handle(exchange) {
      const workspaces = await list();
      if (workspaces === "unavailable") return exchange.fail(ACCOUNTS_UNAVAILABLE);
      exchange.send(200, JSON.stringify({ workspaces: workspaces.map(tenantBody) } satisfies TenantListBody));
    },
  };
}
