import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { openJournal, type Journal } from "../../../src/path/journal/journal.js";
import { closeLater } from "../../support/closing.js";
import { temporaryDirOnDisk } from "../../support/postgres/postgres.js";
import { decisionBody, eventually, send, startTestService } from "../../support/service/service.js";

/**
 * Shows whether a commit is on the disk, according to the kernel. In /proc/<pid>/smaps, a page of a mapped file is
 * dirty if it was written and not yet flushed. LMDB writes with pwrite and maps the same file, so its pages become
 * dirty with a commit and clean with an fsync. Without an fsync, the kernel writes them back only after 30 s.
 */
function dirtyKib(pid: number, dataDir: string): number {
  const path = join(dataDir, "journal", "data.mdb");
  const mappings = readFileSync(`/proc/${pid}/smaps`, "utf8").split(/\n(?=[0-9a-f]+-[0-9a-f]+ )/);
  const own = mappings.filter((mapping) => mapping.slice(0, mapping.indexOf("\n")).endsWith(path));
  assert.notEqual(own.length, 0, `${path} is mapped`);
  const counts = own.flatMap((mapping) => [...mapping.matchAll(/^(?:Shared|Private)_Dirty: +(\d+) kB$/gm)]);
  return counts.reduce((sum, [, kib]) => sum + Number(kib), 0);
}

const TMPFS = 0x01021994;
/** On tmpfs every page stays dirty, because there is no disk to write to. */
async function hasDisk(dataDir: string): Promise<boolean> {
  return process.platform === "linux" && (await statfs(dataDir)).type !== TMPFS;
}

/** Commits a batch of 64 KiB and reads its pages, so that they are mapped and counted. */
function commit(journal: Journal): void {
  const sequence = journal.transaction(() => journal.append(Buffer.alloc(65_536, 1), 1));
  const [entry] = journal.readAfter(sequence - 1, 1);
  assert.equal(Buffer.from(entry?.batch ?? []).length, 65_536);
}

describe("JOURNAL_SYNC, on the disk", () => {
  for (const [what, syncEveryCommit] of [
    ["always: a commit", true],
    ["interval: sync()", false],
  ] as const) {
    it(`${what} puts the batch on the disk`, async (t) => {
      const dataDir = await temporaryDirOnDisk();
      if (!(await hasDisk(dataDir))) return t.skip("the temporary directory is not on a disk of Linux");
      const journal = openJournal({ dataDir, bytesMax: 64 * 2 ** 20, syncEveryCommit });
      closeLater(() => journal.close());
      for (let round = 0; round < 5; round++) {
        if (syncEveryCommit) commit(journal);
        else {
          // Another process may cause a write-back in between. The test then commits and looks again.
          await eventually(async () => {
            commit(journal);
            assert.ok(dirtyKib(process.pid, dataDir) >= 64, "not yet: a commit does not wait for the disk");
          });
          await journal.sync();
        }
        assert.equal(dirtyKib(process.pid, dataDir), 0);
      }
    });
  }

  it("DUR-7: JOURNAL_SYNC=always: an answered decision is on the disk", async (t) => {
    const { pool, dirty, decide, stop, skipped } = await startOn(t, "always");
    if (skipped) return;
    await decide();
    // The writer also commits after the answer. While a lock keeps the writer from storing, only decisions are
    // committed.
    const lock = await pool.connect();
    try {
      await lock.query("begin; lock table only decisions in access exclusive mode");
      await eventually(async () => assert.equal(dirty(), 0));
      for (let i = 0; i < 20; i++) {
        await decide();
        assert.equal(dirty(), 0);
      }
    } finally {
      // Closes the connection, which releases its lock.
      lock.release(true);
    }
    assert.equal(await stop(), 0);
  });

  it("DUR-7: JOURNAL_SYNC=interval: decisions are on the disk soon after", async (t) => {
    const { dirty, decide, stop, skipped } = await startOn(t, "interval");
    if (skipped) return;
    // The pages become dirty only after this point. The kernel alone would take 30 s to write them back.
    await eventually(async () => assert.equal(dirty(), 0));
    await eventually(async () => {
      await decide();
      assert.ok(dirty() > 0);
    });
    await eventually(async () => assert.equal(dirty(), 0), 20_000);
    assert.equal(await stop(), 0);
  });
});

async function startOn(t: TestContext, setting: string) {
  const service = await startTestService({ JOURNAL_SYNC: setting, DATA_DIR: await temporaryDirOnDisk() });
  const skipped = !(await hasDisk(service.dataDir));
  if (skipped) t.skip("the temporary directory is not on a disk of Linux");
  return {
    skipped,
    pool: service.pool,
    dirty: () => dirtyKib(service.process.pid as number, service.dataDir),
    async decide(): Promise<void> {
      assert.equal((await send(service, "POST", "/v1/decision", { body: decisionBody() })).status, 200);
    },
    stop: () => service.stop(),
  };
}
