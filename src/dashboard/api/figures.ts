import type { DecisionAggregate, HealthSnapshot } from "../../client/wire-types.js";
import type { AnalyticsSummary } from "./wire-types.js";
import type { Range } from "../../domain/vocabulary/range.js";
import type { Mode } from "../../domain/vocabulary/vocabulary.js";
import { chosenZone } from "../design/base/zone.js";
import { useRead } from "./transport/read.js";
import { request } from "./transport/request.js";

const AGGREGATE_EVERY_MS = 2000;
const HEALTH_EVERY_MS = 2000;
const SUMMARY_EVERY_MS = 10_000;

/** GET /v1/decisions/aggregate. It is polled while the page is visible. */
export function useDecisionAggregate(mode: Mode, isEnabled = true) {
  return useRead({
    queryKey: ["decision-aggregate", mode],
    queryFn: ({ signal }) =>
      request<DecisionAggregate>("GET", "/v1/decisions/aggregate", { query: { mode }, signal }),
    refetchInterval: AGGREGATE_EVERY_MS,
    enabled: isEnabled,
  });
}

/** The query of GET /v1/analytics/summary, without the mode. */
export type AnalyticsQuery = Readonly<Record<string, string>> & { range?: Range };

/**
 * GET /v1/analytics/summary with the days and months of the chosen zone (DASH-47). While another query loads, the
 * previous figures stay visible.
 */
export function useAnalyticsSummary(mode: Mode, query: AnalyticsQuery) {
  const zone = chosenZone();
  return useRead({
    queryKey: ["analytics-summary", mode, zone, query],
    queryFn: ({ signal }) =>
      request<AnalyticsSummary>("GET", "/v1/analytics/summary", {
        query: { ...query, time_zone: zone, mode },
        signal,
      }),
    refetchInterval: SUMMARY_EVERY_MS,
    // Figures for the days of one zone are never shown as those of another zone.
    placeholderData: (before) => (before?.mode === mode && before.time_zone === zone ? before : undefined),
  });
}

/** GET /v1/provider-health */
export function useProviderHealth(mode: Mode) {
  return useRead({
    queryKey: ["provider-health", mode],
    queryFn: ({ signal }) =>
      request<{ providers: HealthSnapshot[] }>("GET", "/v1/provider-health", { query: { mode }, signal }),
    refetchInterval: HEALTH_EVERY_MS,
  });
}

const DRILLS_EVERY_MS = 10_000;

/**
 * The providers that a drill pins in a mode. Every role may read provider health, but only owners and admins may read
 * the audit log, which has all drills.
 */
export function useDrilledProviders(mode: Mode) {
  return useRead({
    queryKey: ["drilled-providers", mode],
    queryFn: async ({ signal }) => {
      const { providers } = await request<{ providers: HealthSnapshot[] }>("GET", "/v1/provider-health", {
        query: { mode },
        signal,
      });
      // CODE-4: this code means that somebody has set the state.
      const pinned = providers.filter(({ provider, reason_codes }) =>
        reason_codes.includes(`${provider.toUpperCase()}_PINNED`),
      );
      return [...new Set(pinned.map(({ provider }) => provider))];
    },
    refetchInterval: DRILLS_EVERY_MS,
  });
}

/** GET /v1/provider-health?detail=segments */
export function useProviderHealthDetails(mode: Mode) {
  return useRead({
    queryKey: ["provider-health", mode, "segments"],
    queryFn: ({ signal }) =>
      request<{ providers: HealthSnapshot[] }>("GET", "/v1/provider-health", {
        query: { mode, detail: "segments" },
        signal,
      }),
    refetchInterval: HEALTH_EVERY_MS,
  });
}
