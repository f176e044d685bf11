import type { ReadRequest } from "./reads.js";
import { OlderLogUnavailableError } from "../../platform/postgres/tenant-db.js";
import { refusalOf } from "../../platform/postgres/sql-state.js";
import type { ReaderCommand, ReaderReport } from "./messages.js";

/** The errors that are bugs in the service. Any other error comes from PostgreSQL or the network. */
const BUGS = [TypeError, RangeError, ReferenceError, SyntaxError] as const;

/** The body of the reader thread. Each connection has one read at a time. An answer is finished JSON. */
export function createReaderActor(
  reads: (request: ReadRequest) => Promise<string | null>,
  report: (report: ReaderReport) => void,
): (command: Extract<ReaderCommand, { type: "read" }>) => void {
  return ({ ticket, request }) => {
    reads(request).then(
      (json) => report({ type: "answer", ticket, json }),
      (error: unknown) => {
        if (error instanceof OlderLogUnavailableError) return report({ type: "older_unavailable", ticket });
        const isBug = BUGS.some((bug) => error instanceof bug);
        const bug = isBug ? ((error as Error).stack ?? String(error)) : null;
        report({ type: "failed", ticket, bug, refusal: refusalOf(error) });
      },
    );
  };
}
