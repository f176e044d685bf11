import { keepOpen } from "../closing.js";
import { startValkey, type TestValkey } from "../edge/valkey.js";
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
  // The nodes start in sequence, because one start already uses all of a small machine.
  while (nodes.length < count) {
    const node = await startNode({ ...common, DEMO: "0", REGISTRATION: "open" });
    node.key = first.key;
    node.workspaceId = first.workspaceId;
    nodes.push(node);
  }
  return nodes;
}

export interface CachedNodes {
  valkey: TestValkey;
  nodes: RunningService[];
}

let cached: Promise<CachedNodes> | undefined;

/**
 * Three nodes that share a cache, for all test files of a process. A file may kill a node if it starts it again. It
 * leaves the cache running.
 */
export function cachedNodes(): Promise<CachedNodes> {
  return (cached ??= keepOpen(async () => {
    const valkey = await startValkey();
    // On a shared machine a thread may be paused for longer than a request waits by default.
    return { valkey, nodes: await startNodes(3, { CACHE_URL: valkey.url, CACHE_TIMEOUT_MS: "1000" }) };
  }));
}
