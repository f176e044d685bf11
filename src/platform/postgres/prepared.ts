import { hash } from "node:crypto";

export interface PreparedQuery {
  name: string;
  text: string;
  values: unknown[];
}

const names = new Map<string, string>();

/**
 * A query that each connection plans only one time. Over partitions, planning a page costs as much as executing it. Use
 * it only for a bounded number of texts: the text must not contain any part of a request.
 */
export function prepared(text: string, values: unknown[]): PreparedQuery {
  let name = names.get(text);
  if (name === undefined) {
    name = hash("sha1", text).slice(0, 32);
    names.set(text, name);
  }
  return { name, text, values };
}
