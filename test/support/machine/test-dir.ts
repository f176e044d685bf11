import { access, chmod, constants, mkdtemp, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
/** The space that a run needs at once: a PostgreSQL with its log, and a dozen copies of its template. */
const BYTES_MIN = 4 * 1024 ** 3;

/** The name of the variable that names the directory for temporary files on a disk. */
export const DISK_VARIABLE = "TEST_DISK_DIR";

/**
 * Makes a directory for all files of a run, in memory if there is room. Each database has five hundred files, and
 * making them takes a disk's file system twenty times as long (390 ms of kernel time instead of 20 ms). No test cuts
 * the power, so memory suffices.
 */
export async function makeTestDir(): Promise<string> {
  return makeDir((await hasRoom(MEMORY)) ? MEMORY : tmpdir());
}

/** Makes a directory for all files of a run, on a disk. */
export const makeDiskDir = (): Promise<string> => makeDir(tmpdir());

async function makeDir(parent: string): Promise<string> {
  const dir = await mkdtemp(join(parent, "payinference-tests-"));
  // Under root, servers run as another user. That user must be able to enter subdirectories.
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
