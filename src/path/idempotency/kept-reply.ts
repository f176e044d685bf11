/** A first response: its body, and what it says in a header. */
export interface KeptReply {
  /** JSON. */
  body: string;
  /** RTRY-16: Unix milliseconds for the header `payinference-retry-not-before`. Null without it. */
  retryNotBeforeMs: number | null;
}

/** JSON as the service writes it holds no line feed, so one parts the body from what follows. */
const PARTING = "\n";

/** A first response as it is stored under its key. */
export function writeKeptReply({ body, retryNotBeforeMs }: KeptReply): string {
  return retryNotBeforeMs === null ? body : `${body}${PARTING}${retryNotBeforeMs}`;
}

export function readKeptReply(text: string): KeptReply {
  const at = text.lastIndexOf(PARTING);
  if (at === -1) return { body: text, retryNotBeforeMs: null };
  return { body: text.slice(0, at), retryNotBeforeMs: Number(text.slice(at + 1)) };
}
