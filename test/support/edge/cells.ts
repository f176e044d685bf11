import { join } from "node:path";
import { requestText, type RawReply } from "../http/raw-http.js";
import { startOwnPostgres } from "../postgres/own-postgres.js";
import { createTestDatabase, temporaryDir } from "../postgres/postgres.js";
import { startNode, type RunningService, type TestSettings } from "../service/node.js";
import { sayTo } from "./edge-control.js";
import { startEdgeProxy, type EdgeProxy } from "./edge-proxy.js";
import { startValkey } from "./valkey.js";

/** What a request to the edge has besides its path. */
export interface AtEdge {
  body?: object;
  headers?: Readonly<Record<string, string>>;
  /** By default the host names no cell. */
  host?: string;
}

export interface Cells {
  edge: EdgeProxy;
  /** The default cell. */
  a: RunningService;
  b: RunningService;
  /** Sends a request to the edge over a connection of its own. */
  send(method: string, path: string, request?: AtEdge): Promise<RawReply & { json: Record<string, unknown> }>;
  /** The settings of a command that moves a workspace from a to b, and the socket of the edge that it switches. */
  commandEnvironment: Readonly<Record<string, string>>;
  controlSocket: string;
  /** Sends commands to HAProxy's runtime API. */
  say(...commands: readonly string[]): Promise<string>;
  /** Sends SIGKILL to the node, the cache and the PostgreSQL of cell b. */
  killB(): Promise<void>;
}

/** Two cells behind one edge, as deploy/ has them. Each has a node, a PostgreSQL and a Valkey of its own. */
export async function startCells(env: TestSettings = {}): Promise<Cells> {
  const [database, postgres, cacheA, cacheB, dir] = await Promise.all([
    createTestDatabase(),
    startOwnPostgres(),
    startValkey(),
    startValkey(),
    temporaryDir(),
  ]);
  const common = {
    CACHE_TIMEOUT_MS: "1000",
    DECISION_WORKERS: "1",
    TRUST_PROXY_HOPS: "1",
    SECRET_KEY: "the same secret key in all of the cells",
    ...env,
  };
  const [a, b] = await Promise.all([
    startNode({ ...common, CELL: "a", DATABASE_URL: database.url, CACHE_URL: cacheA.url }),
    startNode({ ...common, CELL: "b", DATABASE_URL: postgres.server.url, CACHE_URL: cacheB.url }),
  ]);
  const socketPath = join(dir, "edge.sock");
  const edge = await startEdgeProxy(a.url, {
    environment: { NODES_B: new URL(b.url).host, EDGE_CONTROL: socketPath },
  });
  return {
    edge,
    a,
    b,
    async send(method, path, { body, headers = {}, host = "pay.example" } = {}) {
      const connection = await edge.open();
      const typed = body === undefined ? headers : { "content-type": "application/json", ...headers };
      const text = body === undefined ? undefined : JSON.stringify(body);
      connection.write(requestText(method, path, Object.entries({ host, ...typed }), text));
      const reply = await connection.reply();
      connection.destroy();
      const isJson = reply.body.startsWith("{");
      return { ...reply, json: isJson ? (JSON.parse(reply.body) as Record<string, unknown>) : {} };
    },
    commandEnvironment: {
      CELL: "a",
      DATABASE_URL: database.url,
      CACHE_URL: cacheA.url,
      TARGET_DATABASE_URL: postgres.server.url,
      TARGET_CACHE_URL: cacheB.url,
    },
    controlSocket: socketPath,
    say: (...commands) => sayTo(socketPath, commands),
    async killB() {
      await Promise.all([b.stop("SIGKILL"), cacheB.kill()]);
      process.kill(postgres.server.pid(), "SIGKILL");
    },
  };
}
