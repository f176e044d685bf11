import { access, chmod, constants, mkdtemp, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
/** Of all that a run holds at once: a PostgreSQL with its log, and a dozen copies of its template. */
const BYTES_MIN = 4 * 1024 ** 3;

/** Names the directory that temporary ones of this machine are in, for test files that need a disk. */
export const DISK_VARIABLE = "TEST_DISK_DIR";

/**
 * A directory for everything a run writes, in memory where there is room: each database is five hundred files, and a
 * disk's file system takes twenty times as long to make them (measured: 390 ms of kernel time for one, 20 ms in memory).
 * The files are real ones either way, and nothing in a run cuts the power.
 */
export async function makeTestDir(): Promise<string> {
  return makeDir((await hasRoom(MEMORY)) ? MEMORY : tmpdir());
}

/** The same for what has to be on a disk. */
export const makeDiskDir = (): Promise<string> => makeDir(tmpdir());

async function makeDir(parent: string): Promise<string> {
  const dir = await mkdtemp(join(parent, "payinference-tests-"));
  // Root's servers run as another user, who has to get through to what is below.
  await chmod(dir, 0o711);
  return dir;
}

async function hasRoom(dir: string): Promise<boolean> {
  try {
    await access(dir, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(dir);
    return bavail * bsize >= BYTES_MIN;
  } catch {
    return false;
  }
}
