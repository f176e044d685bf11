import { accessSync, constants, statfsSync } from "node:fs";
import { monotonicMs } from "../timing/clock.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";

/** The filesystem of DATA_DIR is nearly full or has become read-only. */
export class DiskUnwritableError extends Error {}

/** No disk is filled faster than this. */
const FILL_BYTES_PER_MS = 4 * 2 ** 20;
/** A disk that becomes read-only is noticed within this time. */
const TRUSTED_MS_MAX = 5;

/**
 * Returns a check that throws DiskUnwritableError if LMDB must not write to `dir`. The check takes 4 µs. A write must
 * never fail: lmdb-js 3.5.6 formatted the error's message into a buffer that is too short, which corrupts the heap of
 * the whole process. The service uses version 2.9.4, which nobody has tested for this fault. The reserve also covers
 * the writes between two checks. The disk is checked again only after the time in which it could have been filled up to
 * the reserve.
 */
export function createDiskRoomCheck(dir: string, now: () => number = monotonicMs): () => void {
  let trustedUntilMs = Number.NEGATIVE_INFINITY;
  return () => {
    const lookedMs = now();
    if (lookedMs < trustedUntilMs) return;
    const { bavail, blocks, bsize } = statfsSync(dir);
    const reserveBytes = Math.min(TUNING.diskReserveBytes, (blocks * bsize) / 20);
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
    const spareBytes = bavail * bsize - reserveBytes;
    trustedUntilMs = lookedMs + Math.min(TRUSTED_MS_MAX, spareBytes / FILL_BYTES_PER_MS);
  };
}

const toMib = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
