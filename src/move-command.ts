import { Redis } from "ioredis";
import pg from "pg";
import { idToHex } from "./domain/ids/ids.js";
import { giveUp, moveWorkspace } from "./features/moves/job/move.js";
import { prepareEnd } from "./features/moves/job/rows.js";
import { readCaFile } from "./platform/settings/ca-file.js";
import { readSettings } from "./platform/settings/settings.js";

export interface MoveCommand {
  environment: Readonly<Record<string, string | undefined>>;
  /** `ws_…` */
  workspaceId: string;
  to: string;
  edges: readonly string[];
  /** Ends a move that a killed command has begun. */
  givesUp: boolean;
  print(line: string): void;
}

/** CELL-7: the settings are those of a node that the workspace leaves. TARGET_… name the other cell. */
export async function runMove(command: MoveCommand): Promise<number> {
  const { environment, workspaceId, to, edges, givesUp, print } = command;
  const settings = readSettings(environment);
  const targetUrl = environment["TARGET_DATABASE_URL"];
  const targetCacheUrl = environment["TARGET_CACHE_URL"];
  const { cell, cacheUrl, database } = settings;
  const missing = [
    cell === null && "CELL",
    cacheUrl === null && "CACHE_URL",
    database.kind === "embedded" && "DATABASE_URL",
    targetUrl === undefined && "TARGET_DATABASE_URL",
    targetCacheUrl === undefined && "TARGET_CACHE_URL",
  ].filter((name) => name !== false);
  if (cell === null || cacheUrl === null || database.kind === "embedded" || !targetUrl || !targetCacheUrl) {
    print(`not set: ${missing.join(", ")}`);
    return 1;
  }
  if (cell === to) {
    print(`these are the settings of cell ${cell} itself`);
    return 1;
  }
  // CELL-13: what is in ClickHouse alone does not move.
  if (settings.analyticsUrl !== null) {
    print("ANALYTICS_URL is set: a workspace whose older log is in ClickHouse cannot be moved");
    return 1;
  }
  const ca = await readCaFile("CACHE_CA_FILE", settings.cacheCaFile);
  const closers: (() => unknown)[] = [];
  const openDatabase = async (connectionString: string): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString, application_name: "payinference-move" });
    closers.push(() => client.end());
    await client.connect();
    await prepareEnd(client);
    return client;
  };
  const openCache = async (url: string): Promise<Redis> => {
    const tls = ca === null || !url.startsWith("rediss:") ? {} : { tls: { ca } };
    const cache = new Redis(url, { lazyConnect: true, retryStrategy: () => null, ...tls });
    closers.push(() => cache.disconnect());
    cache.on("error", () => undefined);
    await cache.connect();
    return cache;
  };
  // The second signal ends the process at once.
  const stopping = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const)
    process.once(name, () => stopping.abort(new Error(`${name}: everything is as before`)));
  try {
    const ends = {
      source: await openDatabase(database.url),
      target: await openDatabase(targetUrl),
      workspaceId: idToHex(workspaceId),
      signal: stopping.signal,
    };
    if (givesUp) return await giveUp({ ...ends, print });
    return await moveWorkspace({
      ...ends,
      caches: { source: await openCache(cacheUrl), target: await openCache(targetCacheUrl) },
      from: cell,
      to,
      edges,
      print,
    });
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}
