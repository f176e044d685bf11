import type { ReadRequest } from "./reads.js";
import { refusalOf } from "../../platform/postgres/sql-state.js";
import type { ReaderCommand, ReaderReport } from "./messages.js";

/** Errors of ours; whatever else a read rejects with is PostgreSQL's or the network's. */
const BUGS = [TypeError, RangeError, ReferenceError, SyntaxError] as const;

/** The body of the reader thread: one read at a time per connection, answered as finished JSON. */
export function createReaderActor(
  reads: (request: ReadRequest) => Promise<string | null>,
  report: (report: ReaderReport) => void,
): (command: Extract<ReaderCommand, { type: "read" }>) => void {
  return ({ ticket, request }) => {
    reads(request).then(
      (json) => report({ type: "answer", ticket, json }),
      (error: unknown) => {
        const isBug = BUGS.some((bug) => error instanceof bug);
        const bug = isBug ? ((error as Error).stack ?? String(error)) : null;
        report({ type: "failed", ticket, bug, refusal: refusalOf(error) });
      },
    );
  };
}
