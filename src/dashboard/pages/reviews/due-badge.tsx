import { Badge } from "../../design/base/badge.js";
import { useNowMs } from "../../design/base/age.js";
import { dueOf } from "./due.js";

/** REV-14: how long there is still to review a payment, or since when it should have been. */
export function DueBadge({ heldAt }: { heldAt: string }) {
  const { isOverdue, text } = dueOf(heldAt, useNowMs());
  return <Badge tone={isOverdue ? "critical" : "neutral"}>{text}</Badge>;
}
