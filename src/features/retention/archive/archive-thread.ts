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
  // The error of a dying thread also reaches `store`. Without this listener it would end the process.
  pool.on("error", () => undefined);
  return {
    async store(job) {
      const report: ArchiveReport = await pool.run(job);
      if (report.type === "failed") throw new ArchiveError(report.text);
      return report.stored;
    },
    close: () => void pool.destroy(),
  };
}
