import type { Policy } from "../policy/policy.js";

/** The message where PostgreSQL does not answer. */
export const POLICIES_UNAVAILABLE = "Policies cannot be read or written right now";

/** spec "Policy", with the merchant it is of; `default_provider` is left out where there is none. */
export function policyResponse(policy: Policy, merchantId: string): Policy & { merchant_id: string } {
  const { policy_id, ...rest } = policy;
  return { policy_id, merchant_id: merchantId, ...rest };
}
