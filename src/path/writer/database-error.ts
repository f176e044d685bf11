import { JournalFormatError } from "../journal/batch-codec.js";

/**
 * PostgreSQL's position is after the end of this node's journal, so DATA_DIR was set back to an earlier state. A drain
 * would skip new entries.
 */
export class JournalReplacedError extends Error {
  constructor(position: number, lastSequence: number) {
    super(
      `PostgreSQL holds this node's journal up to ${position}, the journal ends at ${lastSequence}: it is not the same one; ` +
        "remove DATA_DIR/journal/node-id to go on with it as a new one",
    );
  }
}

const BUGS = [TypeError, RangeError, ReferenceError, JournalFormatError, JournalReplacedError] as const;

/** True for a failure of PostgreSQL or of the disk. A bug or an unusable journal must end the thread. */
export function isDatabaseError(error: unknown): boolean {
  return error instanceof Error && !BUGS.some((bug) => error instanceof bug);
}
