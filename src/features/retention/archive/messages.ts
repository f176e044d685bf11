import type { PartJob, StoredPart } from "./archive-part.js";

export interface ArchiveWorkerData {
  databaseUrl: string;
  root: string;
  job: PartJob;
}

/** Archive thread → front. It is sent once. */
export type ArchiveReport =
  | { type: "stored"; stored: StoredPart }
  /** `text` is the message of an ArchiveError. For other errors it is their code and kind. */
  | { type: "failed"; text: string };
