import { ALERT_KINDS, alertKindRow } from "../../domain/vocabulary/alert-kinds.js";
import type { Alert } from "../api/wire-types.js";

/** What an alert is of: its segment, or what has happened. */
export function alertSubject({ kind, segment_key }: Pick<Alert, "kind" | "segment_key">): string | null {
  const row = alertKindRow(kind);
  return row.opensBy === "cause" ? row.title : segment_key;
}

/** Who finds the health states that open alerts, in words. */
export const HEALTH_FINDERS = new Intl.ListFormat("en", { type: "disjunction" }).format(
  ALERT_KINDS.map(alertKindRow).flatMap((row) => (row.opensBy === "health" ? [row.foundBy] : [])),
);
