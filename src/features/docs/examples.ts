import type { Examples } from "../../platform/wire/operation.js";
import { DECISION_EXAMPLES } from "../decisions/wire/decision-examples.js";
import { DECISION_DETAIL_EXAMPLES } from "../decisions/wire/decision-detail-examples.js";
import { PAYMENT_EXAMPLES } from "./examples/payment-examples.js";
import { POLICY_EXAMPLES } from "../policies/wire/policy-examples.js";
import { POLICY_TRIAL_EXAMPLES } from "../policies/wire/policy-trial-examples.js";
import { ACCOUNT_EXAMPLES } from "./examples/account-examples.js";
import { TEAM_EXAMPLES } from "../team/wire/team-examples.js";
import { ADMINISTRATION_EXAMPLES } from "./examples/administration-examples.js";
import { PLATFORM_EXAMPLES } from "./examples/platform-examples.js";

/**
 * Requests and answers as recorded from the service, with the deployment's providers in place of the specification's; a
 * deployment with fewer than an example has names its last one again.
 */
export function examplesOf(providers: readonly string[]): Examples {
  const named = JSON.stringify(EXAMPLES).replaceAll(/provider_(\d)/gi, (placeholder, digit: string) => {
    const provider = providers[Number(digit) - 1] ?? providers.at(-1) ?? placeholder;
    return placeholder.startsWith("P") ? provider.toUpperCase() : provider;
  });
  return JSON.parse(named, (_, value: unknown) =>
    Array.isArray(value) && value.every((item) => typeof item === "string") ? [...new Set(value)] : value,
  ) as Examples;
}

const EXAMPLES: Examples = {
  ...DECISION_EXAMPLES,
  ...DECISION_DETAIL_EXAMPLES,
  ...PAYMENT_EXAMPLES,
  ...POLICY_EXAMPLES,
  ...POLICY_TRIAL_EXAMPLES,
  ...ACCOUNT_EXAMPLES,
  ...TEAM_EXAMPLES,
  ...ADMINISTRATION_EXAMPLES,
  ...PLATFORM_EXAMPLES,
};
