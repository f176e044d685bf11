import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startEmbeddedPostgres } from "../../src/platform/postgres/embedded/embedded-postgres.js";
import { CACHE_SERVER, startCache } from "./bench-cache.js";
import { closeAll, startRowServer, type Closer } from "./bench-processes.js";
import type { Row, RowId } from "./bench-rounds.js";
import { countStored, createRivalDatabase, servicePostgres, type ServicePostgres } from "./bench-postgres.js";
import { drained, startService, type BenchService } from "./bench-service.js";
import {
  residentMegabytes,
  startServiceMeasured,
  type MeasuredStart,
  type ServiceStartFigure,
} from "./service-start.js";

export const ROW_IDS: readonly RowId[] = [
  ...(["a", "b", "c", "d", "e"] as const),
  ...(CACHE_SERVER === undefined ? [] : (["f"] as const)),
];

export interface BenchRows {
  rows: Row[];
  /** The service of row (b), if it runs. */
  service: BenchService | undefined;
  serviceStart: ServiceStartFigure | undefined;
}

/** Starts the server of each wanted row in its own process, and the cluster that (b) and (d) share. */
export async function startRows(wanted: ReadonlySet<RowId>, closers: Closer[]): Promise<BenchRows> {
  const rows: Row[] = [];
  let service: BenchService | undefined;
  let startMs: MeasuredStart["startMs"] | undefined;
  let postgres: Pick<ServicePostgres, "postmasterPid" | "adminUrl"> | undefined;
  /** A row's own closers, so that the row can stop alone. */
  const ofRow = (): { own: Closer[]; stop: Row["stop"] } => {
    const own: Closer[] = [];
    const stop = (): Promise<void> => closeAll(own);
    closers.push(stop);
    return { own, stop };
  };

  if (wanted.has("a")) {
    const { own, stop } = ofRow();
    const bare = await startRowServer("bare", own);
    rows.push({
      id: "a",
      label: "bare uWebSockets.js, constant reply",
      url: bare.url,
      key: "",
      serverPid: bare.pid,
      stop,
    });
  }
  if (wanted.has("b")) {
    const { own, stop } = ofRow();
    ({ service, startMs } = await startServiceMeasured(own));
    const cluster = await servicePostgres(service.dataDir);
    postgres = cluster;
    const label = "this service, sustained into PostgreSQL";
    rows.push({ id: "b", label, ...(await sustainedRow(service, cluster, own)), stop });
  }
  if (wanted.has("c")) {
    const { own, stop } = ofRow();
    const { url, key, pid } = await startService(own, { PAYINFERENCE_BENCH_NO_PERSISTENCE: "1" });
    rows.push({ id: "c", label: "this service, nothing stored", url, key, serverPid: pid, stop });
  }
  if (wanted.has("d")) {
    const { own, stop } = ofRow();
    postgres ??= await ownCluster(own);
    const rival = await startRowServer("fastify-json-rules", own, {
      RIVAL_DATABASE_URL: await createRivalDatabase(postgres),
    });
    rows.push({
      id: "d",
      label: "Fastify + json-rules-engine + INSERT each",
      url: rival.url,
      key: "",
      serverPid: rival.pid,
      postmasterPid: postgres.postmasterPid,
      stop,
    });
  }
  if (wanted.has("e")) {
    const { own, stop } = ofRow();
    const zen = await startRowServer("fastify-zen", own);
    rows.push({
      id: "e",
      label: "Fastify + zen-engine, nothing stored",
      url: zen.url,
      key: "",
      serverPid: zen.pid,
      stop,
    });
  }
  if (wanted.has("f")) {
    const { own, stop } = ofRow();
    rows.push({ id: "f", label: "(b) with its journal mirrored", ...(await mirroredRow(own)), stop });
  }
  // The service has been idle while the other rows started.
  const serviceStart =
    service === undefined || startMs === undefined
      ? undefined
      : { ...startMs, idleMegabytes: await residentMegabytes(service.pid) };
  return { rows, service, serviceStart };
}

async function mirroredRow(closers: Closer[]): Promise<Omit<Row, "id" | "label" | "stop">> {
  const service = await startService(closers, {
    CACHE_URL: await startCache(closers),
    CACHE_TIMEOUT_MS: "1000",
    JOURNAL_MIRROR: "1",
  });
  return sustainedRow(service, await servicePostgres(service.dataDir), closers);
}

async function sustainedRow(
  service: BenchService,
  postgres: ServicePostgres,
  closers: Closer[],
): Promise<Omit<Row, "id" | "label" | "stop">> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  closers.push(() => client.end());
  await drained(service, client, 0);
  const storedBefore = await countStored(client, "decisions");
  return {
    url: service.url,
    key: service.key,
    serverPid: service.pid,
    postmasterPid: postgres.postmasterPid,
    drained: (acknowledged) => drained(service, client, storedBefore + acknowledged),
  };
}

/** Used only when (d) runs without (b). Otherwise both write to the same cluster. */
async function ownCluster(closers: Closer[]): Promise<Pick<ServicePostgres, "postmasterPid" | "adminUrl">> {
  const dataDir = await mkdtemp(join(tmpdir(), "payinference-bench-"));
  closers.push(() => rm(dataDir, { recursive: true, force: true }));
  await chmod(dataDir, 0o755);
  const cluster = await startEmbeddedPostgres({ dataDir, log: { info() {}, warn: console.warn } });
  closers.push(() => cluster.stop());
  return { postmasterPid: cluster.pid(), adminUrl: cluster.adminUrl };
}
