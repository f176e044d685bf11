/** A first response: its body, and the time in its retry header. */
export interface KeptReply {
  /** JSON. */
  body: string;
  /** RTRY-16: Unix milliseconds for the header `payinference-retry-not-before`. Null without it. */
  retryNotBeforeMs: number | null;
}

/** The service's JSON contains no line feed, so a line feed separates the body from the rest. */
const PARTING = "\n";

/** Writes a first response in the form that is stored under its key. */
export function writeKeptReply({ body, retryNotBeforeMs }: KeptReply): string {
  return retryNotBeforeMs === null ? body : `${body}${PARTING}${retryNotBeforeMs}`;
}

export function readKeptReply(text: string): KeptReply {
  const at = text.lastIndexOf(PARTING);
  if (at === -1) return { body: text, retryNotBeforeMs: null };
  return { body: text.slice(0, at), retryNotBeforeMs: Number(text.slice(at + 1)) };
}
