import type { Conditions } from "../../../../domain/policy/policy.js";
import type { Comparison, Condition } from "../grammar/syntax.js";

export const OPPOSITES: Readonly<Record<Comparison, Comparison>> = {
  gt: "lte",
  gte: "lt",
  lt: "gte",
  lte: "gt",
};

/**
 * Reads "is not", "not from" and "non-": the field is present and has another value (COND-3: `_not_in` is false for
 * an absent field). A condition that has no opposite becomes `not`.
 */
export function opposite(conditions: readonly Condition[]): Condition {
  const [only, ...more] = conditions;
  if (only === undefined || more.length > 0) return { kind: "not", of: { kind: "all", of: conditions } };
  if (only.kind === "keys") {
    const when = oppositeKeys(only.when);
    if (when !== null) return { kind: "keys", when };
  }
  if (only.kind === "number" && only.bounds.length === 1) {
    return {
      ...only,
      bounds: only.bounds.map((bound) => ({ ...bound, comparison: OPPOSITES[bound.comparison] })),
    };
  }
  if (only.kind === "amount" && only.bounds.length === 1) {
    return {
      ...only,
      bounds: only.bounds.map((bound) => ({ ...bound, comparison: OPPOSITES[bound.comparison] })),
    };
  }
  return only.kind === "refused" ? only : { kind: "not", of: only };
}

function oppositeKeys(when: Conditions): Conditions | null {
  const [entry, ...more] = Object.entries(when);
  if (entry === undefined || more.length > 0) return null;
  const [key, value] = entry;
  if (key === "provider_health_state_in") return null;
  if (key.endsWith("_not_in")) return { [key.replace(/_not_in$/, "_in")]: value };
  if (key.endsWith("_in")) return { [key.replace(/_in$/, "_not_in")]: value };
  return key.endsWith("_is") ? { [key]: value !== true } : null;
}
