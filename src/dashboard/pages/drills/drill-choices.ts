import type { Mode } from "../../../domain/vocabulary/vocabulary.js";

/** ALRT-19: the modes in which a drill applies. The first one does not affect live payments. */
export const DRILL_MODES = [
  { value: "test", label: "Test" },
  { value: "live", label: "Live" },
  { value: "both", label: "Live and test" },
] as const;
export type DrillMode = (typeof DRILL_MODES)[number]["value"];

/** Returns the request's field `mode`. Without the field, the drill applies in both modes. */
export function modeOf(chosen: DrillMode): { mode?: Mode } {
  return chosen === "both" ? {} : { mode: chosen };
}

/** ALRT-20: the minutes after which a drill ends. */
export const DRILL_ENDS = [
  { value: "60", label: "In an hour" },
  { value: "15", label: "In 15 minutes" },
  { value: "240", label: "In 4 hours" },
  { value: "1440", label: "In a day" },
  { value: "never", label: "When somebody ends it" },
] as const;
export type DrillEnd = (typeof DRILL_ENDS)[number]["value"];

export function endOf(chosen: DrillEnd, nowMs: number): { expires_at?: string } {
  return chosen === "never" ? {} : { expires_at: new Date(nowMs + Number(chosen) * 60_000).toISOString() };
}
