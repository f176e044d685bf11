import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { createArchiveThreads } from "../../../../src/features/retention/archive/archive-thread.js";
import { closeLater } from "../../../support/closing.js";
import { temporaryDir } from "../../../support/postgres/postgres.js";

const HANGS_AFTER_MS = 60_000;
const JOB = { week: "2021_01_04", workspaceIds: null, tables: [] };

let dir: string;
before(async () => {
  dir = await temporaryDir();
});

describe("RET-14: a part whose thread dies before it is ready", () => {
  it(
    "is not stored, and says why; the next run starts the thread anew",
    { timeout: HANGS_AFTER_MS },
    async () => {
      const file = join(dir, "archive.mjs");
      const threads = createArchiveThreads({ file, databaseUrl: "", root: dir, workShare: 1 });
      closeLater(() => threads.close());
      await assert.rejects(threads.store(JOB), /Cannot find module/);
      await writeFile(file, 'throw new Error("broken")');
      await assert.rejects(threads.store(JOB), /^Error: broken$/);
      const stored = { part: 1, rows: 0, bytes: 0, seenFrom: "1" };
      await writeFile(file, `export default () => (${JSON.stringify({ type: "stored", stored })})`);
      assert.deepEqual(await threads.store(JOB), stored);
    },
  );
});
