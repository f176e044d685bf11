import { existsSync, mkdirSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { open, type Database } from "lmdb";

/** In the directory of an environment that only lmdb-js 2 has written. */
const MARK = "lmdb-2";
const MAX_DATABASES = 8;
/** Of one transaction, which is held in memory until it is written. */
const COPIED_BYTES_AT_ONCE = 64 * 2 ** 20;

/**
 * Makes sure that the LMDB environment in the directory `path` is one that this build may write: one of an earlier build
 * is copied into a new one first. lmdb-js 3 notes free pages in a form of its own, which LMDB takes for page numbers; all
 * else is the same. To be called before anything opens it, under the claim of DATA_DIR. A copy that is cut short begins
 * anew with the next start.
 */
export async function renewEnvironment(path: string): Promise<void> {
  const mark = join(path, MARK);
  if (existsSync(mark)) return;
  if (existsSync(join(path, "data.mdb"))) {
    const fresh = join(path, "renewed");
    await rm(fresh, { recursive: true, force: true });
    await copyEnvironment(path, fresh);
    await rm(join(path, "lock.mdb"), { force: true });
    await rename(join(fresh, "data.mdb"), join(path, "data.mdb"));
    await rm(fresh, { recursive: true });
  }
  mkdirSync(path, { recursive: true, mode: 0o700 });
  await writeFile(mark, "", { mode: 0o600, flush: true });
}

type RawDatabase = Database<Buffer, Buffer>;
const RAW = { encoding: "binary", keyEncoding: "binary" } as const;

/** Resolves once the copy is on the disk. */
async function copyEnvironment(from: string, to: string): Promise<void> {
  // To read asks nothing of the free pages.
  const old = open({ path: from, maxDbs: MAX_DATABASES, readOnly: true });
  const { pageSize } = old.getStats() as { pageSize: number };
  const copy = open({ path: to, maxDbs: MAX_DATABASES, pageSize, overlappingSync: false });
  for (const name of Array.from(old.getKeys()) as string[]) {
    const source: RawDatabase = old.openDB({ name, ...RAW });
    const target: RawDatabase = copy.openDB({ name, ...RAW });
    const entries = source.getRange({})[Symbol.iterator]();
    let isCopied = false;
    while (!isCopied) {
      copy.transactionSync(() => {
        for (let bytes = 0; bytes < COPIED_BYTES_AT_ONCE && !isCopied;) {
          const { value: entry, done } = entries.next();
          if (done === true) {
            isCopied = true;
          } else {
            target.putSync(entry.key, entry.value);
            bytes += entry.value.length;
          }
        }
      });
    }
  }
  await old.close();
  await copy.close();
}
