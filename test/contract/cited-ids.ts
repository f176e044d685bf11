const ID = /\b[A-Z]{2,5}-[1-9]\d{0,2}\b/g;

/** Names of standards that have the form of a clause's id. */
const STANDARDS: ReadonlySet<string> = new Set(["AES-256", "SHA-256", "SHA-512", "SSH-2", "UTF-16", "UTF-8"]);

/** The clause ids that a text cites, each once, in the text's order. */
export function citedIds(text: string): string[] {
  return [...new Set(text.match(ID))].filter((id) => !STANDARDS.has(id));
}
