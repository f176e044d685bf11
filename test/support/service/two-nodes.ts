import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { closeLater } from "../closing.js";
import { readDocument } from "../http/documented.js";
import { createEdgeControl, type EdgeControl } from "../edge/edge-control.js";
import { startEdgeProxy } from "../edge/edge-proxy.js";
import { untilPasses } from "../waiting/eventually.js";
import { startNode, type RunningService, type TestSettings } from "./node.js";
import { createTestDatabase } from "../postgres/postgres.js";
import { createSharedLog } from "./shared-log.js";
import { askedNode, TWO_NODES_VARIABLE } from "../two-nodes-mode.js";
import { startValkey, type TestValkey } from "../edge/valkey.js";

/**
 * Starts the service as two processes behind the edge, as deployed. Each has its own DATA_DIR, and both share one
 * PostgreSQL and one cache. The edge sends requests to them in turn.
 */
export async function startTwoNodes(env: TestSettings = {}): Promise<RunningService> {
  const [databaseUrl, valkey] = await Promise.all([
    env["DATABASE_URL"] ?? createTestDatabase().then(({ url }) => url),
    startValkey(),
  ]);
  const common = {
    CACHE_URL: valkey.url,
    DECISION_WORKERS: "1",
    // On a shared machine a thread may be paused for longer than a request waits by default.
    CACHE_TIMEOUT_MS: "1000",
    TRUST_PROXY_HOPS: "1",
    ...env,
    DATABASE_URL: databaseUrl,
  };
  const first = await startNode(common);
  // The second node starts after the first, because it needs what the first has created.
  const second = await startNode({ ...common, DEMO: "0", REGISTRATION: "open" });
  const nodes = [first, second];

  const control = await createEdgeControl();
  const edge = await startEdgeProxy(first.url, {
    certificate: await runCertificate(),
    more: [control.file],
  });
  closeLater(async () => {
    const served = await control.nodes();
    await edge.stop();
    assertBothServed(served);
  });
  await control.setNodes(nodes.map(({ url }) => url));
  await readDocument(edge.url, env["PROVIDERS"]);

  const workers = nodes.length * Number(common.DECISION_WORKERS);
  await untilShared(valkey, workers);
  const oneOf = <K extends "dataDir" | "process">(key: K): RunningService[K] => {
    const node = askedNode();
    assert.ok(node !== null, `${key} is of one node, and these are two`);
    return (nodes[node] as RunningService)[key];
  };
  const start = async (): Promise<void> => {
    for (const node of nodes) await node.start();
    await untilReady(control);
    await untilShared(valkey, workers);
  };
  const stop: RunningService["stop"] = async (signal) => {
    const codes = await Promise.all(nodes.map((node) => node.stop(signal)));
    return codes.find((code) => code !== 0) ?? 0;
  };
  return {
    // This address never changes while a request is in flight, because a call chooses its node before it is made.
    get url() {
      return nodes[askedNode() ?? -1]?.url ?? edge.url;
    },
    get metricsUrl() {
      return (nodes[askedNode() ?? 0] as RunningService).metricsUrl;
    },
    get dataDir() {
      return oneOf("dataDir");
    },
    get process() {
      return oneOf("process");
    },
    key: first.key,
    workspaceId: first.workspaceId,
    nodes,
    pool: first.pool,
    log: () => nodes.map((node) => node.log()).join(""),
    printed: () => nodes.flatMap((node) => node.printed()),
    async killAndRestart() {
      await stop("SIGKILL");
      await start();
    },
    start,
    stop,
    sharedLog: createSharedLog(nodes, first.pool),
  };
}

/** The certificate of the run. Every process of the run trusts it. */
async function runCertificate(): Promise<{ file: string; certificate: string }> {
  const file = process.env[TWO_NODES_VARIABLE] as string;
  return { file, certificate: await readFile(file, "utf8") };
}

const untilReady = (control: EdgeControl): Promise<void> =>
  untilPasses(async () => {
    const nodes = await control.nodes();
    assert.ok(
      nodes.every(({ isReady }) => isReady),
      "the edge finds both nodes ready",
    );
  });

/**
 * Waits until all decide workers are connected to the cache. A worker waits only a second for its connection. Until it
 * is connected, it decides without the cache.
 */
const untilShared = ({ client }: TestValkey, workers: number): Promise<void> =>
  untilPasses(async () => {
    const connections = String(await client.client("LIST"));
    assert.equal(connections.split("name=payinference-decide").length - 1, workers);
  });

/**
 * The least share of the requests that each node must get. A slow request moves the next ones to the other node, so the
 * shares are not exact halves.
 */
const SHARE_MIN = 1 / 5;

/** Verifies that the tests really reached two nodes. */
function assertBothServed(served: readonly { requests: number }[]): void {
  const counts = served.map(({ requests }) => requests);
  const all = counts.reduce((sum, count) => sum + count, 0);
  assert.equal(counts.length, 2, "nodes that the edge has");
  assert.ok(Math.min(...counts) >= Math.floor(all * SHARE_MIN), `requests of each node: ${counts.join()}`);
}
