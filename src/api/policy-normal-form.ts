import type { ProviderId } from "../shared/decision-request.js";
import { unreachable } from "../shared/unreachable.js";
import type { RuleAction } from "../policy/policy.js";
import type { WireAction } from "./policy-action-schema.js";

// contract §5, the table of `then.type`.
const STRICT_DEFAULT = true;
const BOOST_DEFAULT = 15;
const SAME_PROVIDER_DEFAULT = true;
/** Leaves room before the first rule and between any two. */
const PRIORITY_STEP = 10;

/** contract §5 "`priority` (position·10)": the first rule's position is 1. `index` counts from 0. */
export function defaultPriority(index: number): number {
  return (index + 1) * PRIORITY_STEP;
}

/** A `then` of an accepted spelling in its normal one, with its defaults. `providersOf` is checked to be given. */
export function normalAction(action: WireAction): RuleAction {
  switch (action.type) {
    case "block":
    case "hold":
    case "step_up": {
      const { type, reason_code } = action;
      return reason_code === undefined ? { type } : { type, reason_code };
    }
    case "prefer_provider":
    case "preferred_provider":
      return {
        type: "prefer_provider",
        providers: providersOf(action) ?? [],
        strict: action.strict ?? STRICT_DEFAULT,
        boost: action.boost ?? BOOST_DEFAULT,
      };
    case "exclude_provider":
    case "excluded_provider":
      return { type: "exclude_provider", providers: providersOf(action) ?? [] };
    case "restrict_providers":
      return { type: "restrict_providers", providers: providersOf(action) ?? [] };
    case "require_min_health": {
      const providers = providersOf(action);
      const { type, min_score } = action;
      return providers === undefined ? { type, min_score } : { type, min_score, providers };
    }
    case "retry_on_timeout":
      return { type: action.type, same_provider: action.same_provider ?? SAME_PROVIDER_DEFAULT };
    case "no_retry":
    case "max_cost":
    case "optimize_for":
    case "split_traffic":
      return action;
    default:
      return unreachable(action);
  }
}

/** `provider` is the accepted spelling of a one-item `providers`. */
export function providersOf(action: {
  providers?: ProviderId[] | undefined;
  provider?: ProviderId | undefined;
}): ProviderId[] | undefined {
  return action.provider === undefined ? action.providers : [action.provider];
}
