import type { Route } from "../../../path/front/route.js";
import { createMerchantRoute, merchantsRoute } from "./merchants.js";
import { updateWorkspaceRoute, workspaceRoute } from "./workspace.js";
import { createWorkspaces, type WorkspacesOptions } from "../service.js";
import type { WorkspaceDefaults } from "../workspace-response.js";

export type WorkspaceRoutesParts = WorkspacesOptions & WorkspaceDefaults;

/** The routes for a workspace's own settings and its merchants. */
export function workspaceRoutes(parts: WorkspaceRoutesParts): Route[] {
  const workspaces = createWorkspaces(parts);
  return [
    workspaceRoute(workspaces.find, parts),
    updateWorkspaceRoute(workspaces.update, parts),
    merchantsRoute(workspaces.merchants),
    createMerchantRoute(workspaces.registerMerchant),
  ];
}
