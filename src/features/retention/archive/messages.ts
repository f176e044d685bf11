import type { PartJob, StoredPart } from "./archive-part.js";

export interface ArchiveWorkerData {
  databaseUrl: string;
  root: string;
  job: PartJob;
}

/** Archive thread → front, once. */
export type ArchiveReport =
  | { type: "stored"; stored: StoredPart }
  /** `text` is the message of an ArchiveError, or the code and the kind of another error. */
  | { type: "failed"; text: string };
