/** A first response: its body, and the time of its retry header. */
export interface KeptReply {
  /** JSON text. */
  body: string;
  /** RTRY-16: Unix milliseconds for the header `payinference-retry-not-before`. Null without it. */
  retryNotBeforeMs: number | null;
}

/** Separates body and time. The service's JSON contains no line feed. */
const PARTING = "\n";

/** Writes a first response in its stored form. */
export function writeKeptReply({ body, retryNotBeforeMs }: KeptReply): string {
  return retryNotBeforeMs === null ? body : `${body}${PARTING}${retryNotBeforeMs}`;
}

export function readKeptReply(text: string): KeptReply {
  const at = text.lastIndexOf(PARTING);
  if (at === -1) return { body: text, retryNotBeforeMs: null };
  return { body: text.slice(0, at), retryNotBeforeMs: Number(text.slice(at + 1)) };
}
