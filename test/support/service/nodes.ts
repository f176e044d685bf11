import { createTestDatabase } from "../postgres/postgres.js";
import { startNode, type RunningService } from "./node.js";

/**
 * Starts services that share one PostgreSQL and, if `env` names one, one cache. All have the first service's demo
 * workspace and key.
 */
export async function startNodes(
  count: number,
  env: Readonly<Record<string, string>>,
): Promise<RunningService[]> {
  const { url } = await createTestDatabase();
  const common = { DATABASE_URL: url, RATE_LIMIT_PER_MINUTE: "0", DECISION_WORKERS: "1", ...env };
  const first = await startNode(common);
  const nodes = [first];
  // They start one after the other, because one start already uses all of a small machine.
  while (nodes.length < count) {
    const node = await startNode({ ...common, DEMO: "0", REGISTRATION: "open" });
    node.key = first.key;
    node.workspaceId = first.workspaceId;
    nodes.push(node);
  }
  return nodes;
}
