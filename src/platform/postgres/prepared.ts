import { hash } from "node:crypto";

export interface PreparedQuery {
  name: string;
  text: string;
  values: unknown[];
}

const names = new Map<string, string>();

/**
 * A query that each connection plans once: over partitions, planning costs as much as a page's execution. For texts
 * of which the code can make only so many, never one with anything of a request in it.
 */
export function prepared(text: string, values: unknown[]): PreparedQuery {
  let name = names.get(text);
  if (name === undefined) {
    name = hash("sha1", text).slice(0, 32);
    names.set(text, name);
  }
  return { name, text, values };
}
