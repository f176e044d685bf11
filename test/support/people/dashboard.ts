import type { Role } from "../../../src/domain/vocabulary/vocabulary.js";
import { signIn } from "./feedback.js";
import { send, type Reply, type RunningService } from "../service/service.js";

/** A workspace member who sends requests from the dashboard. */
export interface Dashboard {
  userId: string;
  request(method: string, path: string, body?: unknown): Promise<Reply>;
  get(path: string): Promise<Reply>;
}

export async function openDashboard(
  service: RunningService,
  workspaceId: string,
  role: Role = "owner",
): Promise<Dashboard> {
  const { userId, token } = await signIn(service.pool, workspaceId, role);
  const headers = { authorization: `Bearer ${token}` };
  const request = (method: string, path: string, body?: unknown): Promise<Reply> =>
    send(service, method, path, { headers, key: null, ...(body === undefined ? {} : { body }) });
  return { userId, request, get: (path) => request("GET", path) };
}
