import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { stopped, type Closer } from "./bench-processes.js";
import { freePort } from "./bench-service.js";

/** Valkey's server, or Redis's if only that is installed. Undefined if neither is, and then row (f) does not run. */
export const CACHE_SERVER = ["valkey-server", "redis-server"].find(
  (name) => spawnSync(name, ["--version"]).error === undefined,
);

/** Starts a Valkey or Redis that writes its data to the disk each second, as in docs/deployment.md. */
export async function startCache(closers: Closer[]): Promise<string> {
  const [port, dir] = [await freePort(), await mkdtemp(join(tmpdir(), "payinference-bench-cache-"))];
  const options = ["--port", String(port), "--bind", "127.0.0.1", "--dir", dir];
  const durable = ["--save", "", "--appendonly", "yes", "--appendfsync", "everysec"];
  const child = spawn(CACHE_SERVER as string, [...options, ...durable], { stdio: "ignore" });
  closers.push(async () => {
    child.kill("SIGKILL");
    await stopped(child);
    await rm(dir, { recursive: true, force: true });
  });
  const url = `redis://127.0.0.1:${port}`;
  // The client connects again until the server listens.
  const client = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: 200 });
  client.on("error", () => undefined);
  await client.ping();
  client.disconnect();
  return url;
}
