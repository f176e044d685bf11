import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { brotliDecompressSync } from "node:zlib";
import { DataDirError } from "../../../../src/platform/node/data-dir.js";
import { renewEnvironment } from "../../../../src/platform/lmdb/environment-renewal.js";
import { DiskUnwritableError } from "../../../../src/platform/node/disk-room.js";
import { openJournal, type Journal, type JournalOptions } from "../../../../src/path/journal/journal.js";
import { closeLater } from "../../../support/closing.js";
import { temporaryDir } from "../../../support/postgres/postgres.js";

/** Written by the build before, with lmdb-js 3.5.6: its list of free pages holds gaps and lengths. */
const OLD_JOURNAL = new URL("../../../../../test/support/rows/journal-of-lmdb-3.mdb.br", import.meta.url);
/** What that build had appended last and not removed: sequence, bytes, and what every byte is. */
const OLD_ENTRIES = [
  [98, 28_231, 49],
  [101, 6150, 50],
  [102, 14_069, 51],
  [104, 21_988, 52],
  [107, 29_907, 53],
  [108, 7826, 54],
  [110, 15_745, 55],
  [113, 23_664, 56],
  [114, 1583, 57],
  [116, 9502, 58],
  [119, 17_421, 59],
  [120, 25_340, 60],
] as const;

describe("an environment of a build with lmdb-js 3", () => {
  it("keeps its entries, its numbering and its replies", async () => {
    const journal = await renewedJournal();
    assert.deepEqual(entriesOf(journal), OLD_ENTRIES);
    assert.equal(journal.lastSequence(), 120);
    const key = Buffer.alloc(32, 60).toString("base64url");
    const reply = journal.transaction(() => journal.replies.find(key, 1.8e12));
    assert.equal(reply?.body, `{"reply":"${key.slice(0, 8)}"}`);
  });

  it("can be written on for as long as one likes", async () => {
    const journal = await renewedJournal();
    for (let round = 0; round < 200; round++) {
      const batch = Buffer.alloc(500 + ((round * 7919) % 60_000), round);
      journal.transaction(() => journal.append(batch, 2));
      if (round % 7 === 6) journal.removeThrough(journal.lastSequence() - 10);
    }
    const [first, ...rest] = entriesOf(journal);
    assert.deepEqual(
      [first, ...rest].map((entry) => entry?.[0]),
      Array.from({ length: 9 }, (_, index) => 504 + 2 * index),
    );
  });

  it("is copied once, and a copy that was cut short is not used", async () => {
    const dataDir = await oldDataDir();
    const path = join(dataDir, "journal");
    await mkdir(join(path, "renewed"));
    await writeFile(join(path, "renewed", "data.mdb"), "half");
    await renewEnvironment(path, roomy);
    const journal = openJournal(optionsFor(dataDir));
    journal.transaction(() => journal.append(Buffer.alloc(10, 1), 1));
    await journal.close();
    await renewEnvironment(path, roomy);
    assert.equal(open(dataDir).lastSequence(), 121);
    assert.deepEqual((await readdir(path)).toSorted(), ["data.mdb", "lmdb-2", "lock.mdb"]);
  });

  it("stays as it was where there is no room for a copy", async () => {
    const dataDir = await oldDataDir();
    const path = join(dataDir, "journal");
    const before = await readFile(join(path, "data.mdb"));
    let looks = 0;
    const full = (): void => {
      if (++looks > 2) throw new DiskUnwritableError("no space left");
    };
    await assert.rejects(
      renewEnvironment(path, full),
      (error: Error) => error instanceof DataDirError && error.message.endsWith("no space left"),
    );
    assert.ok(before.equals(await readFile(join(path, "data.mdb"))));
    assert.ok(!existsSync(join(path, "renewed")) && !existsSync(join(path, "lmdb-2")));
    await renewEnvironment(path, roomy);
    assert.deepEqual(entriesOf(open(dataDir)), OLD_ENTRIES);
  });

  it("is not looked for in a new DATA_DIR", async () => {
    const path = join(await temporaryDir(), "journal");
    await renewEnvironment(path, roomy);
    assert.ok(!existsSync(join(path, "data.mdb")));
    assert.ok(existsSync(join(path, "lmdb-2")));
  });
});

const roomy = (): void => undefined;

async function oldDataDir(): Promise<string> {
  const dataDir = await temporaryDir();
  await mkdir(join(dataDir, "journal"));
  const bytes = brotliDecompressSync(await readFile(OLD_JOURNAL));
  await writeFile(join(dataDir, "journal", "data.mdb"), bytes);
  return dataDir;
}

async function renewedJournal(): Promise<Journal> {
  const dataDir = await oldDataDir();
  await renewEnvironment(join(dataDir, "journal"), roomy);
  return open(dataDir);
}

const optionsFor = (dataDir: string): JournalOptions => ({
  dataDir,
  bytesMax: 2 ** 26,
  syncEveryCommit: false,
});

function open(dataDir: string): Journal {
  const journal = openJournal(optionsFor(dataDir));
  closeLater(() => journal.close());
  return journal;
}

function entriesOf(journal: Journal): [number, number, number][] {
  return journal.readAfter(0, Number.MAX_SAFE_INTEGER).map(({ sequence, batch }) => {
    const byte = batch[0] as number;
    assert.ok(batch.equals(Buffer.alloc(batch.length, byte)));
    return [sequence, batch.length, byte];
  });
}
