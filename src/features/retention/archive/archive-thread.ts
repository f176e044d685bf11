import { Piscina } from "piscina";
import { ARCHIVE_TUNING } from "./archive-tuning.js";
import type { StorePart } from "./archive-part.js";
import { ArchiveError } from "./manifest.js";
import type { ArchiveReport, ArchiveWorkerData } from "./messages.js";

export interface ArchiveThreads {
  store: StorePart;
  /** Terminates the thread at any point of its work. */
  close(): void;
}

/** Archives one part at a time on a thread, at a lower priority. The thread ends when no part waits. */
export function createArchiveThreads({
  file,
  ...workerData
}: ArchiveWorkerData & { file: string }): ArchiveThreads {
  const pool = new Piscina({
    filename: file,
    workerData: workerData satisfies ArchiveWorkerData,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 0,
    atomics: "disabled",
    resourceLimits: { maxOldGenerationSizeMb: ARCHIVE_TUNING.heapMibMax },
  });
  let fail: (error: unknown) => void = () => undefined;
  // The error of a thread that dies before it is ready does not reach its task.
  pool.on("error", (error) => fail(error));
  return {
    async store(job) {
      const dying = new AbortController();
      fail = (error) => dying.abort(error);
      const report: ArchiveReport = await pool.run(job, { signal: dying.signal }).catch((error: unknown) => {
        throw dying.signal.aborted ? dying.signal.reason : error;
      });
      if (report.type === "failed") throw new ArchiveError(report.text);
      return report.stored;
    },
    close: () => void pool.destroy(),
  };
}
