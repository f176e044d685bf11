import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import {
  createBacktests,
  type Backtests,
  type BacktestRun,
} from "../../../../src/features/policies/backtest/backtest-thread.js";
import type { BacktestJob } from "../../../../src/features/policies/backtest/messages.js";
import { closeLater } from "../../../support/closing.js";
import { temporaryDir } from "../../../support/postgres/postgres.js";

const HANGS_AFTER_MS = 60_000;

let dir: string;
before(async () => {
  dir = await temporaryDir();
});

/** Backtests whose thread runs this file. `failures` are the messages that were logged. */
function backtestsOn(file: string) {
  const failures: string[] = [];
  const warn = (fields: { err: Error }) => void failures.push(fields.err.message);
  const backtests = createBacktests({
    file,
    databaseUrl: "",
    retentionDays: 400,
    connectionTimeoutMs: 1000,
    log: { warn } as unknown as Parameters<typeof createBacktests>[0]["log"],
  });
  closeLater(() => backtests.close());
  return { backtests, failures };
}

async function started(backtests: Backtests, workspaceId: string): Promise<BacktestRun> {
  const run = await backtests.start({ workspaceId } as BacktestJob, new AbortController().signal);
  assert.ok(typeof run === "object");
  return run;
}

describe("SIM-10: a backtest whose thread dies before it is ready", () => {
  for (const [name, text, message] of [
    ["its file is missing", null, /Cannot find module/],
    ["its file cannot be loaded", 'throw new Error("broken")', /^broken$/],
  ] as const) {
    it(
      `ends as failed where ${name}, and keeps nobody else waiting`,
      { timeout: HANGS_AFTER_MS },
      async () => {
        const file = join(dir, `${text === null ? "missing" : "broken"}.mjs`);
        if (text !== null) await writeFile(file, text);
        const { backtests, failures } = backtestsOn(file);
        // The second one waits in the line for the first one's end, and the third one finds the line empty again.
        const runs = [started(backtests, "ws_1"), started(backtests, "ws_2")];
        for (const run of [...runs, Promise.all(runs).then(() => started(backtests, "ws_1"))]) {
          assert.deepEqual(await (await run).next(), { type: "failed" });
          assert.equal(await (await run).next(), null);
        }
        assert.equal(failures.length, 3);
        for (const failure of failures) assert.match(failure, message);
      },
    );
  }
});
