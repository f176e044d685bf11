import { Worker } from "node:worker_threads";
import { ARCHIVE_TUNING } from "./archive-tuning.js";
import type { StoredPart, StorePart } from "./archive-part.js";
import { ArchiveError } from "./manifest.js";
import type { ArchiveReport, ArchiveWorkerData } from "./messages.js";

export interface ArchiveThreads {
  store: StorePart;
  /** Terminates the threads at any point of their work. */
  close(): void;
}

/** Archives each part in a thread of its own, at a lower priority. The thread ends with its part. */
export function createArchiveThreads(options: {
  file: string;
  databaseUrl: string;
  root: string;
}): ArchiveThreads {
  const { file, databaseUrl, root } = options;
  const running = new Set<Worker>();
  return {
    store: (job) =>
      new Promise<StoredPart>((resolve, reject) => {
        const worker = new Worker(file, {
          workerData: { databaseUrl, root, job } satisfies ArchiveWorkerData,
          name: "archive",
          resourceLimits: { maxOldGenerationSizeMb: ARCHIVE_TUNING.heapMibMax },
        });
        running.add(worker);
        worker.on("message", (report: ArchiveReport) => {
          if (report.type === "stored") resolve(report.stored);
          else reject(new ArchiveError(report.text));
        });
        worker.on("error", reject);
        worker.on("exit", () => {
          running.delete(worker);
          // This has no effect after a report.
          reject(new ArchiveError("the thread ended before its part was stored"));
        });
      }),
    close() {
      for (const worker of running) void worker.terminate();
    },
  };
}
