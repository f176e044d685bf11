/**
 * - `ok`: as it should be.
 * - `note`: it works, but somebody should know about it.
 * - `wrong`: the service does not start, or does not keep a promise.
 * - `skipped`: it was not examined, and the text says why.
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

/** Collects the findings of a check. If the check throws, the error becomes a finding that something is wrong. */
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

/** Returns an error's message as one line, because drivers' messages can have several lines or none. */
export function inOneLine(error: unknown): string {
  const { message, code, errors } = error as { message?: string; code?: string; errors?: unknown[] };
  // For a host with several addresses, the error has no message, but one cause for each address.
  const first = errors?.[0];
  if (first !== undefined && (message === undefined || message === "")) return inOneLine(first);
  const text = message === undefined || message === "" ? (code ?? String(error)) : message;
  return text.replace(/\s*\n\s*/g, " ");
}

const SUBJECT_CHARS = 12;
const STATE_CHARS = 9;

/** DOC-1: the report, with one line for each finding. */
export function reportText(all: readonly Finding[]): string {
  return all
    .map(
      ({ state, subject, text }) => `${state.padEnd(STATE_CHARS)}${subject.padEnd(SUBJECT_CHARS)}${text}\n`,
    )
    .join("");
}
