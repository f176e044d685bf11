import { Redis } from "ioredis";
import type { Settings } from "../platform/settings/settings.js";
import { readCaFile } from "../platform/settings/ca-file.js";
import { monotonicMs } from "../platform/timing/clock.js";
import type { Report } from "./finding.js";

const CONNECT_MS_MAX = 3000;
const ROUND_TRIPS = 9;

/** DOC-2: checks that the shared cache answers in time, accepts writes and evicts no value early. */
export async function checkCache(settings: Settings, report: Report): Promise<void> {
  const { cacheUrl } = settings;
  if (cacheUrl === null) return report("skipped", "CACHE_URL is not set: each node is by itself");
  const ca = await readCaFile("CACHE_CA_FILE", settings.cacheCaFile);
  const redis = new Redis(cacheUrl, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS_MAX,
    commandTimeout: CONNECT_MS_MAX,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    ...(ca === null ? {} : { tls: { ca } }),
  });
  // If there is no connection, `connect` rejects only with "Connection is closed". The event `error` has the cause.
  let reason: unknown = null;
  redis.on("error", (error) => (reason ??= error));
  try {
    await redis.connect().catch((error: unknown) => Promise.reject(reason ?? error));
    await look(redis, settings, report);
  } finally {
    redis.disconnect();
  }
}

type Field = (name: string) => string | undefined;

/** DUR-27: checks that the cache keeps a node's records after the node is destroyed. */
function lookAtMirror(field: Field, { journalMirrorReplicas: replicas }: Settings, report: Report): void {
  const policy = field("maxmemory_policy") ?? "";
  if (policy.startsWith("allkeys") && field("maxmemory") !== "0") {
    report(
      "wrong",
      `${policy} evicts the mirrors of journals: JOURNAL_MIRROR needs noeviction or volatile-lru`,
    );
  }
  if (field("aof_enabled") === "0") {
    report(
      "note",
      "appendonly is off: a restart of the cache empties the mirrors until nodes fill them again",
    );
  }
  const connected = Number(field("connected_slaves"));
  if (connected < replicas) {
    report(
      "wrong",
      `JOURNAL_MIRROR_REPLICAS is ${replicas}, and the cache has ${connected}: decisions are 503`,
    );
  }
}

async function look(redis: Redis, settings: Settings, report: Report): Promise<void> {
  const { cacheTimeoutMs: timeoutMs } = settings;
  const info = await redis.info();
  const field: Field = (name) => new RegExp(`^${name}:(.*?)\r?$`, "m").exec(info)?.[1];
  if (field("role") === "slave") report("wrong", "CACHE_URL leads to a replica, which takes no writes");
  const policy = field("maxmemory_policy");
  if (policy !== undefined && policy !== "noeviction" && field("maxmemory") !== "0") {
    report("note", `${policy} evicts idempotent replies and rate limits before their time`);
  }
  if (settings.journalMirror) lookAtMirror(field, settings, report);
  const tripMs = await roundTripMs(redis);
  const name = field("valkey_version") === undefined ? "Redis" : "Valkey";
  const version = field("valkey_version") ?? field("redis_version") ?? "";
  const text = `${name} ${version} answers in ${tripMs.toFixed(1)} ms (the median of ${ROUND_TRIPS})`;
  if (tripMs < timeoutMs) report("ok", text);
  else report("wrong", `${text}, and CACHE_TIMEOUT_MS is ${timeoutMs}: it always counts as away`);
}

async function roundTripMs(redis: Redis): Promise<number> {
  const tripsMs: number[] = [];
  for (let trip = 0; trip < ROUND_TRIPS; trip++) {
    const beganMs = monotonicMs();
    await redis.ping();
    tripsMs.push(monotonicMs() - beganMs);
  }
  return tripsMs.toSorted((a, b) => a - b)[(ROUND_TRIPS - 1) / 2] as number;
}
