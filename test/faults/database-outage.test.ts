import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "../../src/persistence/embedded-postgres.js";
import { assertNothingLost } from "../support/acknowledged.js";
import { postDecision, startDecisionLoad } from "../support/decision-load.js";
import { createDatabaseGate } from "../support/database-gate.js";
import { createEmptyDatabase, SILENT_LOG, temporaryDir } from "../support/postgres.js";
import { signalPostgres } from "../support/postgres-processes.js";
import { createServiceProcess } from "../support/service-process.js";
import { decisionBody, eventually, send, startTestService, type RunningService } from "../support/service.js";

/** contract §9 and issue "Faults". */
const NAMED_WITHIN_MS = 5000;
const READ_ANSWERS_WITHIN_MS = 2000;

let server: EmbeddedPostgres;
let service: RunningService;
before(async () => {
  server = await startEmbeddedPostgres({ dataDir: await temporaryDir(), log: SILENT_LOG });
  // A supervised server keeps no process alive by itself.
  const keepAlive = setInterval(() => undefined, 1000);
  service = await startTestService({ DATABASE_URL: server.url, RATE_LIMIT_PER_MINUTE: "0" });
  process.once("beforeExit", () => undefined);
  return () => clearInterval(keepAlive);
});
