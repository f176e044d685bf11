import type { Route } from "../../client/wire-types.js";
import type { Action } from "../../domain/vocabulary/vocabulary.js";

type Routed = Exclude<Action, "block">;

/** RES-4 in words for a person who has to carry out the instruction. */
const ROUTED = {
  route: (primary) => `Send the payment to ${primary}.`,
  use_default_route: (primary) => `Send the payment to the default provider, ${primary}.`,
  step_up: (primary) => `Let the customer authenticate, then send the payment to ${primary}.`,
  hold: (primary) => `Wait for a review. Once approved, send the payment to ${primary}.`,
  retry: (primary) => `Try again, at ${primary}.`,
  failover: (primary) => `Move away from the provider that timed out, to ${primary}.`,
} as const satisfies Record<Routed, (primary: string) => string>;

/** Says in one or two sentences what the merchant's backend was told to do. */
export function instructionText(action: Action, route: Route | null): string {
  if (action === "block" || route === null) return "Do not send this payment to any provider.";
  const sentence = ROUTED[action](route.primary_provider);
  if (route.fallback_provider === null) return sentence;
  return `${sentence} If that fails, ${route.fallback_provider} may take it.`;
}
