import type { Action } from "../domain/vocabulary/vocabulary.js";
import type { ServiceDecision } from "./wire-types.js";

const ACTIONS: Readonly<Record<Action, true>> = {
  route: true,
  use_default_route: true,
  step_up: true,
  hold: true,
  retry: true,
  failover: true,
  block: true,
};

/**
 * True for a decision that a merchant can execute: a known instruction with a route, or a block without a route. A 200
 * with any other body, from a proxy or another service, is an outage and must not reach a checkout as a decision.
 */
export function isDecision(value: unknown): value is ServiceDecision {
  if (typeof value !== "object" || value === null) return false;
  const { decision_id, action, route, reason_codes } = value as Partial<
    Record<keyof ServiceDecision, unknown>
  >;
  if (typeof decision_id !== "string" || !Array.isArray(reason_codes)) return false;
  if (typeof action !== "string" || !Object.hasOwn(ACTIONS, action)) return false;
  return action === "block" ? route === null : isRoute(route);
}

function isRoute(route: unknown): boolean {
  if (typeof route !== "object" || route === null) return false;
  const { primary_provider, fallback_provider } = route as Record<string, unknown>;
  return (
    typeof primary_provider === "string" &&
    (fallback_provider === null || typeof fallback_provider === "string")
  );
}
