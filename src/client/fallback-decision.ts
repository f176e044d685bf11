import type { DecisionRequest, ProviderId } from "../domain/vocabulary/decision-request.js";
import type { Action, Mode } from "../domain/vocabulary/vocabulary.js";
import { CLIENT_LIMITS } from "./client-limits.js";
import type { ClientReasonCode, LocalDecision } from "./local-decision.js";
import type { Route } from "./wire-types.js";

/** The merchant's own instruction for times in which the service gives no decision. */
export type SafeDefault =
  | { action: "block" }
  | { action: Exclude<Action, "block">; primary_provider: ProviderId; fallback_provider?: ProviderId | null };

export type OutageCode = Exclude<ClientReasonCode, "SDK_FALLBACK_USED">;

export interface FallbackInput {
  request: DecisionRequest;
  /** The mode in the API key's prefix. */
  mode: Mode;
  safeDefault: SafeDefault;
  reasonCode: OutageCode;
  /** The decision's id is `local_` and this text. */
  localId: string;
  /** How long the client waited for the service. */
  elapsedMs: number;
}

/**
 * The safe default of a merchant who sets none: `route` to the first available provider, with the next one as fallback.
 * A provider whose attempt has just failed comes last. This default ignores policies, health and risk. Set another one
 * if a block or a review must never be skipped.
 */
export function routeInOrder({ available_providers, previous_attempt }: DecisionRequest): SafeDefault {
  const failed = previous_attempt?.provider;
  const others = available_providers.filter((provider) => provider !== failed);
  const [primary, fallback = null] =
    others.length < available_providers.length ? [...others, failed] : others;
  // No provider is available. The service would refuse such a request.
  if (primary === undefined) return { action: "block" };
  return { action: "route", primary_provider: primary, fallback_provider: fallback };
}

/** CODE-5, client-side fallback: makes a decision that has the form of a response and is marked as the client's. */
export function fallbackDecision(input: FallbackInput): LocalDecision {
  const { request, mode, safeDefault, reasonCode, localId, elapsedMs } = input;
  return {
    decision_id: `local_${localId}`,
    merchant_id: request.merchant_id,
    mode,
    decision_mode: request.decision_mode ?? "enforce",
    action: safeDefault.action,
    route: routeOf(safeDefault),
    risk: { score: 0, band: "low", recommended_action: "route", reason_codes: [] },
    provider_health: Object.fromEntries(
      request.available_providers.map((provider) => [
        provider,
        { score: 50, state: "unknown", confidence: 0, source: "unknown" },
      ]),
    ),
    policy: { policy_id: null, policy_version: null, matched_rules: [] },
    model: {
      model_version: "local-fallback",
      route_scores: Object.fromEntries(request.available_providers.map((provider) => [provider, 0])),
    },
    cost: null,
    economics: null,
    reason_codes: ["SDK_FALLBACK_USED" satisfies ClientReasonCode, reasonCode],
    decision_latency_ms: Math.round(elapsedMs * 100) / 100,
    ttl_ms: CLIENT_LIMITS.decisionTtlMs,
  };
}

function routeOf(safeDefault: SafeDefault): Route | null {
  if (safeDefault.action === "block") return null;
  const { primary_provider, fallback_provider = null } = safeDefault;
  return { primary_provider, fallback_provider };
}
