import type { Examples } from "../../platform/wire/operation.js";
import { ACCOUNT_EXAMPLES } from "../accounts/examples.js";
import { ALERT_EXAMPLES } from "../alerts/examples.js";
import { ANALYTICS_EXAMPLES } from "../analytics/examples.js";
import { API_KEY_EXAMPLES } from "../api-keys/examples.js";
import { AUDIT_EXAMPLES } from "../audit/examples.js";
import { DECISION_EXAMPLES } from "../decisions/examples/decision-examples.js";
import { DECISION_DETAIL_EXAMPLES } from "../decisions/examples/decision-detail-examples.js";
import { PROBE_EXAMPLES } from "../operations/examples.js";
import { OUTCOME_EXAMPLES } from "../outcomes/examples.js";
import { OVERRIDE_EXAMPLES } from "../overrides/examples.js";
import { PLATFORM_EXAMPLES } from "../platform-admin/examples.js";
import { POLICY_EXAMPLES } from "../policies/examples/policy-examples.js";
import { POLICY_TRIAL_EXAMPLES } from "../policies/examples/policy-trial-examples.js";
import { PRICING_EXAMPLES } from "../pricing/examples.js";
import { PROVIDER_HEALTH_EXAMPLES } from "../provider-health/examples.js";
import { REVIEW_EXAMPLES } from "../reviews/examples.js";
import { SET_ASIDE_EXAMPLES } from "../set-aside/examples.js";
import { TEAM_EXAMPLES } from "../team/examples.js";
import { USAGE_EXAMPLES } from "../usage/examples.js";
import { WEBHOOK_EXAMPLES } from "../webhooks/examples.js";
import { WORKSPACE_EXAMPLES } from "../workspaces/examples.js";

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
  ...ACCOUNT_EXAMPLES,
  ...ALERT_EXAMPLES,
  ...ANALYTICS_EXAMPLES,
  ...API_KEY_EXAMPLES,
  ...AUDIT_EXAMPLES,
  ...DECISION_EXAMPLES,
  ...DECISION_DETAIL_EXAMPLES,
  ...PROBE_EXAMPLES,
  ...OUTCOME_EXAMPLES,
  ...OVERRIDE_EXAMPLES,
  ...PLATFORM_EXAMPLES,
  ...POLICY_EXAMPLES,
  ...POLICY_TRIAL_EXAMPLES,
  ...PRICING_EXAMPLES,
  ...PROVIDER_HEALTH_EXAMPLES,
  ...REVIEW_EXAMPLES,
  ...SET_ASIDE_EXAMPLES,
  ...TEAM_EXAMPLES,
  ...USAGE_EXAMPLES,
  ...WEBHOOK_EXAMPLES,
  ...WORKSPACE_EXAMPLES,
};
