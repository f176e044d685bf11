import { Badge } from "../../design/base/badge.js";
import { useNowMs } from "../../design/base/age.js";
import { dueOf } from "./due.js";

/** REV-14: shows how much time is left to review a payment, or how long the review is overdue. */
export function DueBadge({ heldAt }: { heldAt: string }) {
  const { isOverdue, text } = dueOf(heldAt, useNowMs());
  return <Badge tone={isOverdue ? "critical" : "neutral"}>{text}</Badge>;
}
