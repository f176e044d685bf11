import type { StoredPart } from "./archive-part.js";

export interface ArchiveWorkerData {
  databaseUrl: string;
  root: string;
  /** The share of the time that the thread works. Below 1, it also works only while its cores are idle. */
  workShare: number;
}

/** The answer of the archive thread to a part. */
export type ArchiveReport =
  | { type: "stored"; stored: StoredPart }
  /** `text` is the message of an ArchiveError. For other errors it is their code and kind. */
  | { type: "failed"; text: string };
