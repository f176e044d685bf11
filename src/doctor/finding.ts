/**
 * - `ok`: as it should be.
 * - `note`: works, and somebody should know.
 * - `wrong`: the service does not start, or does not keep a promise.
 * - `skipped`: could not be examined, and the text says why.
 */
export type FindingState = "ok" | "note" | "wrong" | "skipped";

/** One line of the doctor's report. */
export interface Finding {
  state: FindingState;
  /** The part of the set-up, such as `postgresql`. */
  subject: string;
  text: string;
}

export type Report = (state: FindingState, text: string) => void;

/** Collects the findings of a check. A check that throws has found something wrong. */
export async function findings(
  subject: string,
  check: (report: Report) => Promise<void> | void,
): Promise<Finding[]> {
  const found: Finding[] = [];
  try {
    await check((state, text) => found.push({ state, subject, text }));
  } catch (error) {
    found.push({ state: "wrong", subject, text: inOneLine(error) });
  }
  return found;
}

/** Drivers put several lines, or none, into a message. */
export function inOneLine(error: unknown): string {
  const { message, code, errors } = error as { message?: string; code?: string; errors?: unknown[] };
  // For a host with several addresses, the error has one cause for each address and no message of its own.
  const first = errors?.[0];
  if (first !== undefined && (message === undefined || message === "")) return inOneLine(first);
  const text = message === undefined || message === "" ? (code ?? String(error)) : message;
  return text.replace(/\s*\n\s*/g, " ");
}

const SUBJECT_CHARS = 12;
const STATE_CHARS = 9;

/** DOC-1: one line for each finding. */
export function reportText(all: readonly Finding[]): string {
  return all
    .map(
      ({ state, subject, text }) => `${state.padEnd(STATE_CHARS)}${subject.padEnd(SUBJECT_CHARS)}${text}\n`,
    )
    .join("");
}
