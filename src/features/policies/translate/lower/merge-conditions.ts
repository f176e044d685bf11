import type { Conditions } from "../../../../domain/policy/policy.js";

type Values = Record<string, unknown>;

/** Matches a bound of a field, so that a field's lower and upper bounds can be compared. */
const SIDES = /^(.+)_(gte|gt|lte|lt)$/;

/**
 * Merges condition objects into one object that requires all of them. Returns null if two of them exclude each other.
 */
export function mergeConditions(parts: readonly Conditions[]): Conditions | null {
  const merged: Values = {};
  const separate: Conditions[] = [];
  for (const part of parts) {
    for (const [key, value] of Object.entries(part) as [string, unknown][]) {
      if (merged[key] === undefined) merged[key] = value;
      else if (JSON.stringify(merged[key]) !== JSON.stringify(value)) {
        const both = combine(key, merged[key], value);
        if (both === null) return null;
        if (both === "separate") separate.push({ [key]: value });
        else merged[key] = both;
      }
    }
  }
  if (separate.length > 0) merged["all_of"] = [...((merged["all_of"] ?? []) as Conditions[]), ...separate];
  return boundsMeet(merged) ? merged : null;
}

/**
 * Combines two values of one key into a value that requires both. `separate` means that no single value can. Null means
 * that both cannot hold at once.
 */
function combine(key: string, a: unknown, b: unknown): unknown {
  if (key === "none_of" || key === "all_of") return [...(a as Conditions[]), ...(b as Conditions[])];
  if (key === "any_of" || key === "offered_provider_in" || key === "provider_health_state_in")
    return "separate";
  if (key.endsWith("_not_in")) return [...new Set([...(a as string[]), ...(b as string[])])];
  if (key.endsWith("_in")) {
    const common = (a as string[]).filter((value) => (b as string[]).includes(value));
    return common.length === 0 ? null : common;
  }
  if (key.endsWith("_is")) return null;
  return /_gte?$/.test(key) ? Math.max(a as number, b as number) : Math.min(a as number, b as number);
}

function boundsMeet(merged: Values): boolean {
  const fields = Object.keys(merged).flatMap((key) => SIDES.exec(key)?.[1] ?? []);
  return [...new Set(fields)].every((field) => {
    const lowest = Math.max(at(merged, `${field}_gte`, -1), at(merged, `${field}_gt`, -2) + 1);
    const highest = Math.min(at(merged, `${field}_lte`, Infinity), at(merged, `${field}_lt`, Infinity) - 1);
    return lowest <= highest;
  });
}

function at(merged: Values, key: string, absent: number): number {
  return (merged[key] as number | undefined) ?? absent;
}
