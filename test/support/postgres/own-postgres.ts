import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EmbeddedPostgres } from "../../../src/platform/postgres/embedded/embedded-postgres.js";
import { closeLater } from "../closing.js";
import { createDatabaseGate, type DatabaseGate } from "./database-gate.js";
import { SILENT_LOG } from "./postgres.js";
import { startTestPostgres } from "./postgres-server.js";

/**
 * Starts a PostgreSQL for this test file only. The file may stop and kill it. The gate can also hide it from a node
 * that uses the gate's address.
 */
export async function startOwnPostgres(): Promise<{ server: EmbeddedPostgres; gate: DatabaseGate }> {
  const dataDir = await mkdtemp(join(tmpdir(), "payinference-outage-"));
  const server = await startTestPostgres({ dataDir, log: SILENT_LOG });
  // The supervised server does not keep this process alive, so a timer does.
  const keepAlive = setInterval(() => undefined, 1000);
  closeLater(async () => {
    try {
      await server.stop();
    } finally {
      clearInterval(keepAlive);
    }
    await rm(dataDir, { recursive: true, force: true });
  });
  return { server, gate: await createDatabaseGate(server.url) };
}
