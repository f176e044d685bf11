import { journalEntryAsJson } from "../../path/journal/record-json.js";
import type { SetAsideKind } from "../../path/writer/set-aside-queries.js";

type Json = Record<string, unknown>;

/** Returns the content of a record for people to read, or null when it cannot be decoded. */
export function entryAsJson(kind: SetAsideKind, entry: Buffer): Json | null {
  if (kind !== "kept_outcome") return journalEntryAsJson(entry);
  try {
    return { outcomes: [JSON.parse(entry.toString("utf8"))] };
  } catch {
    return null;
  }
}

export function orderIdOf(entry: Json | null): string | null {
  const [outcome] = (entry?.["outcomes"] ?? []) as Json[];
  const body = (entry?.["decision"] ?? outcome ?? {}) as Json;
  const orderId = body["order_id"] ?? body["orderId"];
  return typeof orderId === "string" ? orderId : null;
}
