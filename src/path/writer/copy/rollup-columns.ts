import { ACTIONS, OUTCOMES, RISK_BANDS } from "../../../domain/vocabulary/vocabulary.js";

/** The count columns of migrations/0006_rollups.sql, which defines what each column counts. */
export const ENFORCE_COLUMNS = ACTIONS.map((_, position) => `a${position}`);
export const SHADOW_COLUMNS = ACTIONS.map((_, position) => `s${position}`);
export const UNRESOLVED_COLUMNS = ACTIONS.map((_, position) => `u${position}`);
export const BAND_COLUMNS = RISK_BANDS.map((_, position) => `r${position}`);
export const OUTCOME_COLUMNS = OUTCOMES.map((_, position) => `o${position}`);
export const COMPARISON_COLUMNS = [
  "shadow_outcomes",
  "comparable",
  "used_recommended",
  "used_fallback",
  "approved_followed",
  "approved_diverged",
] as const;

/** RET-21: begins the name that an erased merchant's figures keep. The erasure's id follows. */
export const ERASED_PREFIX = "erased:";

/** decision_latency_ms is counted in units of 10 µs, because it has two decimals. */
export const LATENCY_UNITS_PER_MS = 100;
/** The number of units in one row of rollup_latencies. */
export const LATENCY_SEGMENT_UNITS = 64;
export const HOUR_MS = 3_600_000;
