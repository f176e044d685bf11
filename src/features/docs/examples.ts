import type { Examples } from "../../platform/wire/operation.js";

/**
 * Replaces the providers in recorded examples with the deployment's. If the deployment has fewer providers than the
 * examples, its last provider replaces all that are left.
 */
export function withProviders(examples: Examples, providers: readonly string[]): Examples {
  const named = JSON.stringify(examples).replaceAll(/provider_(\d)/gi, (placeholder, digit: string) => {
    const provider = providers[Number(digit) - 1] ?? providers.at(-1) ?? placeholder;
    return placeholder.startsWith("P") ? provider.toUpperCase() : provider;
  });
  return JSON.parse(named, (_, value: unknown) =>
    Array.isArray(value) && value.every((item) => typeof item === "string") ? [...new Set(value)] : value,
  ) as Examples;
}
