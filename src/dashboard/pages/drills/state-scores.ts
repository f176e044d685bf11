import type { HealthState } from "../../../domain/vocabulary/vocabulary.js";

/** ALRT-8, PUT /v1/admin/provider-overrides/:provider: the default score of each state. */
export const STATE_SCORES = {
  healthy: 95,
  watch: 75,
  degraded: 60,
  critical: 35,
  unavailable: 0,
  unknown: 50,
} as const satisfies Record<HealthState, number>;
