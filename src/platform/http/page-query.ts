import { pageSizeParameter } from "../wire/query-schema.js";
import { isId, type IdPrefix } from "../../domain/ids/ids.js";
import type { Query } from "./query.js";

/** The row beside which a page begins. */
export interface Cursor {
  kind: "older_than" | "newer_than";
  id: string;
}

/** LIST-1: reads `page_size`. A fault of it is added to `query.issues`. */
export function readPageSize(query: Query): number {
  return query.integer("page_size", pageSizeParameter);
}

/** LIST-3: both cursors, or a malformed one, are refused. */
export function readCursor(query: Query, prefix: IdPrefix): Cursor | null {
  const older = readId(query, "starting_after", prefix);
  const newer = readId(query, "ending_before", prefix);
  if (older !== null && newer !== null) {
    query.refuse("ending_before", "custom", "Must not be combined with starting_after");
  }
  if (older !== null) return { kind: "older_than", id: older };
  return newer === null ? null : { kind: "newer_than", id: newer };
}

function readId(query: Query, name: string, prefix: IdPrefix): string | null {
  const text = query.text(name);
  if (text !== null && !isId(text, prefix)) query.refuse(name, "invalid_string", "Invalid format");
  return text;
}
