import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compiled } from "./actor-parts.js";
import { temporaryDir } from "../postgres/postgres.js";
import { eventually, startTestService, type RunningService } from "./service.js";

export const MORTAL_THREADS = ["decide", "writer", "reader", "prober"] as const;
export type MortalThread = (typeof MORTAL_THREADS)[number];

/** The service as delivered, except that its threads die on command. */
export interface MortalService {
  service: RunningService;
  /** Resolves once the thread is gone. The replacement may not have started yet. */
  kill(thread: MortalThread, cause: "exit" | "throw"): Promise<void>;
}

export async function startMortalService(env: Readonly<Record<string, string>> = {}): Promise<MortalService> {
  const dir = await temporaryDir();
  const service = await startTestService({
    RATE_LIMIT_PER_MINUTE: "0",
    NODE_OPTIONS: `--import ${compiled("test/support/workers/mortal-thread-worker.js")}`,
    MORTAL_DIR: dir,
    LOG_LEVEL: "fatal",
    ...env,
  });
  return {
    service,
    async kill(thread, cause) {
      const file = join(dir, thread);
      // The rename ensures that no thread reads a half-written file.
      await writeFile(`${file}.next`, cause);
      await rename(`${file}.next`, file);
      await eventually(async () => assert.equal(existsSync(file), false));
    },
  };
}
