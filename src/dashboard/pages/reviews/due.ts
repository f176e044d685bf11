import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { formatAge, formatUntil } from "../../design/base/format.js";

/**
 * REV-14: compares how long a held payment has waited with the target. `heldAt` is ISO 8601, `nowMs` is in Unix
 * milliseconds.
 */
export function dueOf(heldAt: string, nowMs: number): { isOverdue: boolean; text: string } {
  const dueMs = Date.parse(heldAt) + LIMITS.reviewTargetMs;
  const due = new Date(dueMs).toISOString();
  return nowMs > dueMs
    ? { isOverdue: true, text: `Overdue, was due ${formatAge(due, nowMs)}` }
    : { isOverdue: false, text: `Due ${formatUntil(due, nowMs)}` };
}

/** Returns how long a review took, such as `3 min`. Both times are ISO 8601. */
export function tookText(heldAt: string, resolvedAt: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(resolvedAt) - Date.parse(heldAt)) / 1000));
  const late = seconds * 1000 > LIMITS.reviewTargetMs ? ", late" : "";
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min${late}`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h${late}`;
  return `${Math.floor(seconds / 86_400)} days${late}`;
}
