import { existsSync, mkdirSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { open, type Database, type RootDatabase } from "lmdb";
import { DataDirError } from "../node/data-dir.js";

/** In the directory of an environment that only lmdb-js 2 has written. */
const MARK = "lmdb-2";
const MAX_DATABASES = 8;
/** Of one transaction, which is held in memory until it is written; well within the disk's reserve. */
const COPIED_BYTES_AT_ONCE = 16 * 2 ** 20;

/**
 * Makes sure that the LMDB environment in the directory `path` is one that this build may write: one of an earlier build
 * is copied into a new one first. lmdb-js 3 notes free pages in a form of its own, which LMDB takes for page numbers; all
 * else is the same. To be called before anything opens it, under the claim of DATA_DIR. A copy that is cut short begins
 * anew with the next start. `assertRoom` as in platform/node/disk-room.ts.
 *
 * @throws {DataDirError} when it cannot be copied; it is then as it was.
 */
export async function renewEnvironment(path: string, assertRoom: () => void): Promise<void> {
  const mark = join(path, MARK);
  if (existsSync(mark)) return;
  if (existsSync(join(path, "data.mdb"))) await replaceByCopy(path, assertRoom);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  await writeFile(mark, "", { mode: 0o600, flush: true });
}

async function replaceByCopy(path: string, assertRoom: () => void): Promise<void> {
  const fresh = join(path, "renewed");
  await rm(fresh, { recursive: true, force: true });
  try {
    await copyEnvironment(path, fresh, assertRoom);
    await rm(join(path, "lock.mdb"), { force: true });
    await rename(join(fresh, "data.mdb"), join(path, "data.mdb"));
  } catch (error) {
    throw new DataDirError(`${path} cannot be copied for this build: ${(error as Error).message}`);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Resolves once the copy is on the disk. */
async function copyEnvironment(from: string, to: string, assertRoom: () => void): Promise<void> {
  // To read asks nothing of the free pages.
  const old = open({ path: from, maxDbs: MAX_DATABASES, readOnly: true });
  const { pageSize } = old.getStats() as { pageSize: number };
  const copy = open({ path: to, maxDbs: MAX_DATABASES, pageSize, overlappingSync: false });
  try {
    for (const name of Array.from(old.getKeys()) as string[]) copyDatabase(name, old, copy, assertRoom);
  } finally {
    await old.close();
    await copy.close();
  }
}

function copyDatabase(name: string, old: RootDatabase, copy: RootDatabase, assertRoom: () => void): void {
  const source: Database<Buffer, Buffer> = old.openDB({ name, encoding: "binary", keyEncoding: "binary" });
  const target: Database<Buffer, Buffer> = copy.openDB({ name, encoding: "binary", keyEncoding: "binary" });
  const entries = source.getRange({})[Symbol.iterator]();
  let isCopied = false;
  while (!isCopied) {
    assertRoom();
    copy.transactionSync(() => {
      for (let bytes = 0; bytes < COPIED_BYTES_AT_ONCE;) {
        const { value: entry, done } = entries.next();
        if (done === true) {
          isCopied = true;
          return;
        }
        target.putSync(entry.key, entry.value);
        bytes += entry.value.length;
      }
    });
  }
}
