import type { WorkspaceResponseBody } from "../wire/administration-response-schema.js";
import { parseWorkspaceChanges } from "../wire/workspace-schema.js";
import type { Administration } from "../administration.js";
import type { Workspace } from "../../../path/access/catalog-queries.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { ROLES } from "../../../domain/vocabulary/vocabulary.js";
import { workspaceBody, type AccountSettings } from "../../accounts/account-response.js";
import { ADMINISTRATION_UNAVAILABLE } from "../../../platform/http/api-error.js";
import type { SessionRoute } from "../../../path/front/route.js";

/** What holds where a workspace has set nothing. */
type Defaults = Pick<AccountSettings, "riskBlockThreshold">;

const WORKSPACE_GONE = { kind: "not_found", message: "Workspace not found" } as const;

/** GET /v1/admin/workspace */
export function workspaceRoute(find: Administration["workspace"], settings: Defaults): SessionRoute {
  return {
    method: "GET",
    path: "/v1/admin/workspace",
    access: { roles: ROLES },
    bodyBytesMax: null,
    async handle(exchange, { workspaceId }) {
      const workspace = await find(workspaceId);
      if (workspace === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      if (workspace === null) return exchange.fail(WORKSPACE_GONE);
      exchange.send(200, toBody(workspace, settings));
    },
  };
}

/** PATCH /v1/admin/workspace: null goes back to the default, and this node decides by it from the answer on. */
export function updateWorkspaceRoute(
  update: Administration["updateWorkspace"],
  settings: Defaults,
): SessionRoute {
  return {
    method: "PATCH",
    path: "/v1/admin/workspace",
    access: { roles: ["owner", "admin"] },
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    async handle(exchange, { workspaceId, userId }, _params, text) {
      const body = parseWorkspaceChanges(text);
      if (!body.ok) return exchange.fail({ kind: "invalid", issues: body.issues });
      const changes = {
        name: body.value.name,
        defaultDecisionMode: body.value.default_decision_mode,
        riskBlockThreshold: body.value.risk_block_threshold,
      };
      const workspace = await update({ workspaceId, actor: userId }, changes);
      if (workspace === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      if (workspace === null) return exchange.fail(WORKSPACE_GONE);
      exchange.send(200, toBody(workspace, settings));
    },
  };
}

function toBody(workspace: Workspace, settings: Defaults): string {
  return JSON.stringify({ workspace: workspaceBody(workspace, settings) } satisfies WorkspaceResponseBody);
}
