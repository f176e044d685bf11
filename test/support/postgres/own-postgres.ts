import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import type { EmbeddedPostgres } from "../../../src/platform/postgres/embedded/embedded-postgres.js";
import { createDatabaseGate, type DatabaseGate } from "./database-gate.js";
import { SILENT_LOG } from "./postgres.js";
import { startTestPostgres } from "./postgres-server.js";

const closers: (() => Promise<void>)[] = [];
after(async () => {
  for (const close of closers.toReversed()) await close();
});

/** A PostgreSQL of the test file's own, which it may stop, kill and hide, with the one way to it. */
export async function startOwnPostgres(): Promise<{ server: EmbeddedPostgres; gate: DatabaseGate }> {
  const dataDir = await mkdtemp(join(tmpdir(), "payinference-outage-"));
  const server = await startTestPostgres({ dataDir, log: SILENT_LOG });
  // A supervised server keeps no process alive by itself.
  const keepAlive = setInterval(() => undefined, 1000);
  closers.push(async () => {
    await server.stop();
    clearInterval(keepAlive);
    await rm(dataDir, { recursive: true, force: true });
  });
  return { server, gate: await createDatabaseGate(server.url) };
}
