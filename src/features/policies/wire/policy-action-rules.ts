import { unreachable } from "../../../domain/vocabulary/unreachable.js";
import type { WireAction } from "./policy-action-schema.js";
import type { ValidationIssue } from "../../../platform/wire/validation-issue.js";

/** `then`: what the schema of an action cannot say, of one that passed it. */
export function actionIssues(action: WireAction, path: string): ValidationIssue[] {
  switch (action.type) {
    case "prefer_provider":
    case "preferred_provider":
    case "exclude_provider":
    case "excluded_provider":
    case "restrict_providers":
      return providersIssues(action, path, true);
    case "require_min_health":
      return providersIssues(action, path, false);
    case "max_cost":
      return action.max_effective_bps === undefined && action.max_cost_minor === undefined
        ? [{ path, code: "custom", message: "Needs max_effective_bps or max_cost_minor" }]
        : [];
    case "split_traffic": {
      const total = Object.values(action.weights).reduce((sum, percent) => sum + percent, 0);
      return total === 100
        ? []
        : [{ path: `${path}.weights`, code: "custom", message: "Weights must sum to 100" }];
    }
    case "block":
    case "hold":
    case "step_up":
    case "retry_on_timeout":
    case "no_retry":
    case "optimize_for":
      return [];
    default:
      return unreachable(action);
  }
}

function providersIssues(
  action: { providers?: unknown; provider?: unknown },
  path: string,
  required: boolean,
): ValidationIssue[] {
  const { providers, provider } = action;
  if (providers !== undefined && provider !== undefined) {
    return [{ path: `${path}.provider`, code: "custom", message: "Give either providers or provider" }];
  }
  if (required && providers === undefined && provider === undefined) {
    return [{ path: `${path}.providers`, code: "invalid_type", message: "Required" }];
  }
  return [];
}
