import { accessSync, constants, statfsSync } from "node:fs";
import { LIMITS } from "../shared/limits.js";

/** The filesystem of DATA_DIR is nearly full, or may not be written to any more. */
export class DiskUnwritableError extends Error {}

/**
 * Returns a check that throws DiskUnwritableError when LMDB must not be asked to write to `dir` (4 µs). Waiting for the
 * failed write is not an option: lmdb-js 3.5.6 formats its message for it into a buffer that is too short, which
 * corrupts the heap of the whole process. The reserve also covers what is written between two checks.
 */
export function createDiskRoomCheck(dir: string): () => void {
  return () => {
    const { bavail, blocks, bsize } = statfsSync(dir);
    const reserveBytes = Math.min(LIMITS.diskReserveBytes, (blocks * bsize) / 20);
    if (bavail * bsize < reserveBytes) {
      throw new DiskUnwritableError(
        `no space left: ${toMib(bavail * bsize)} MiB free, ${toMib(reserveBytes)} MiB are kept in reserve`,
      );
    }
    try {
      accessSync(dir, constants.W_OK);
    } catch (error) {
      throw new DiskUnwritableError(`read-only: ${(error as Error).message}`);
    }
  };
}

const toMib = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
