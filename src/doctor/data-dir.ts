import { access, constants, mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createDiskRoomCheck } from "../platform/node/disk-room.js";
import type { Report } from "./finding.js";

/** Filesystem types of statfs(2) on which a journal cannot keep its promises. */
const POOR_FILESYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x794c7630, "a container's own layer: it goes with the container"],
  [0x01021994, "memory: it goes with the next restart of the host"],
  [0x6969, "NFS, on which LMDB's locks and mapped files are not safe"],
  [0xff534d42, "SMB, on which LMDB's locks and mapped files are not safe"],
  [0xfe534d42, "SMB, on which LMDB's locks and mapped files are not safe"],
]);

/** DOC-2: checks that DATA_DIR is suitable for a journal. `holder` is the process that uses it now. */
export async function checkDataDir(
  dataDir: string,
  journalMaxBytes: number,
  holder: string | null,
  report: Report,
): Promise<void> {
  const dir = await nearestFolder(dataDir);
  const probe = await mkdtemp(join(dir, "doctor-"));
  try {
    await writeFile(join(probe, "write-probe"), "", { flush: true });
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
  createDiskRoomCheck(dir)();
  const { type, bavail, bsize } = await statfs(dir);
  const poor = POOR_FILESYSTEMS.get(type);
  if (poor !== undefined) report("note", `${dataDir} lies on ${poor}`);
  const freeBytes = bavail * bsize;
  if (freeBytes < journalMaxBytes) {
    report(
      "note",
      `${inGib(freeBytes)} GiB are free, less than JOURNAL_MAX_BYTES: the disk is full before the journal says so`,
    );
  }
  const use =
    holder === null ? (dir === dataDir ? "not in use" : "made at the start") : `in use by process ${holder}`;
  report("ok", `${dataDir} is writable and ${use}; ${inGib(freeBytes)} GiB are free`);
}

/** DATA_DIR, or the existing folder in which a start would create it. */
async function nearestFolder(path: string): Promise<string> {
  try {
    await access(path, constants.F_OK);
    return path;
  } catch {
    return nearestFolder(dirname(path));
  }
}

const inGib = (bytes: number): string => (bytes / 2 ** 30).toFixed(1);
