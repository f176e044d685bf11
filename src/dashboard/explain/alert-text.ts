import { ALERT_KINDS, alertKindRow } from "../../domain/vocabulary/alert-kinds.js";
import type { Alert } from "../api/wire-types.js";

/** Returns the subject of an alert: its segment, or the event that opened it. */
export function alertSubject({ kind, segment_key }: Pick<Alert, "kind" | "segment_key">): string | null {
  const row = alertKindRow(kind);
  return row.opensBy === "cause" ? row.title : segment_key;
}

/** Names those who find the health states that open alerts. */
export const HEALTH_FINDERS = new Intl.ListFormat("en", { type: "disjunction" }).format(
  ALERT_KINDS.map(alertKindRow).flatMap((row) => (row.opensBy === "health" ? [row.foundBy] : [])),
);
