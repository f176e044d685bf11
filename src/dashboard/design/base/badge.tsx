import type { ReactNode } from "react";
import "./badge.css";

export type Tone = "good" | "watch" | "degraded" | "critical" | "down" | "neutral" | "info" | "accent";

/** Shows a state as a word. The colour only repeats what the word says. */
export function Badge({
  tone,
  isPlain = false,
  children,
}: {
  tone: Tone;
  isPlain?: boolean;
  children: ReactNode;
}) {
  return <span className={`badge tone-${tone}${isPlain ? " badge-plain" : ""}`}>{children}</span>;
}
