import type { WorkspaceResponseBody } from "../wire/workspace-response-schema.js";
import { parseWorkspaceChanges } from "../wire/workspace-schema.js";
import type { Workspaces } from "../service.js";
import type { Workspace } from "../queries/workspace.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { ROLES } from "../../../domain/vocabulary/vocabulary.js";
import {
  ADMINISTRATION_UNAVAILABLE,
  WORKSPACE_NOT_FOUND,
  type ApiError,
} from "../../../platform/http/api-error.js";
import type { ValidationIssue } from "../../../platform/wire/validation-issue.js";
import type { SessionRoute } from "../../../path/front/route.js";
import { workspaceBody, type WorkspaceDefaults } from "../workspace-response.js";

/** GET /v1/admin/workspace */
export function workspaceRoute(find: Workspaces["find"], settings: WorkspaceDefaults): SessionRoute {
  return {
    method: "GET",
    path: "/v1/admin/workspace",
    access: { roles: ROLES },
    bodyBytesMax: null,
    async handle(exchange, { workspaceId }) {
      const workspace = await find(workspaceId);
      if (workspace === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      if (workspace === null) return exchange.fail(WORKSPACE_NOT_FOUND);
      exchange.send(200, toBody(workspace, settings));
    },
  };
}

/** PATCH /v1/admin/workspace: null restores the default. This node decides by the new settings from the answer on. */
export function updateWorkspaceRoute(
  update: Workspaces["update"],
  settings: WorkspaceDefaults,
): SessionRoute {
  return {
    method: "PATCH",
    path: "/v1/admin/workspace",
    access: { roles: ["owner", "admin"] },
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    async handle(exchange, { workspaceId, userId }, _params, text) {
      const body = parseWorkspaceChanges(text);
      if (!body.ok) return exchange.fail({ kind: "invalid", issues: body.issues });
      const { retention_days: days } = body.value;
      if (typeof days === "number" && settings.retentionDays !== 0 && days > settings.retentionDays) {
        return exchange.fail({ kind: "invalid", issues: [tooLong(settings.retentionDays)] });
      }
      const changes = {
        name: body.value.name,
        defaultDecisionMode: body.value.default_decision_mode,
        riskBlockThreshold: body.value.risk_block_threshold,
        retentionDays: days,
        requiresOneTimeCodes: body.value.require_one_time_codes,
      };
      const workspace = await update({ workspaceId, actor: userId }, changes);
      if (workspace === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      if (workspace === "without_codes") return exchange.fail(WITHOUT_CODES);
      if (workspace === null) return exchange.fail(WORKSPACE_NOT_FOUND);
      exchange.send(200, toBody(workspace, settings));
    },
  };
}

/** ACC-35 */
const WITHOUT_CODES: ApiError = {
  kind: "conflict",
  message: "Turn on your own one-time codes before you require them of others",
};

/** RET-3: a workspace may keep nothing longer than the service does. */
function tooLong(days: number): ValidationIssue {
  return { path: "retention_days", code: "too_big", message: `Must be at most ${days}` };
}

function toBody(workspace: Workspace, settings: WorkspaceDefaults): string {
  return JSON.stringify({ workspace: workspaceBody(workspace, settings) } satisfies WorkspaceResponseBody);
}
