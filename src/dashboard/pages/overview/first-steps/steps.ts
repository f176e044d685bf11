import type { DecisionAggregate, Policy } from "../../../../client/wire-types.js";
import type { ApiKey, Merchant } from "../../../api/wire-types.js";
import { TRY_MERCHANT } from "../../../explain/tries.js";
import { templatesAddress } from "../../policies/templates/templates-address.js";
import { keyOfMerchant } from "../../api-keys/key-address.js";

/** The parts of a workspace that tell which steps are done. */
export interface Existing {
  merchants: readonly Pick<Merchant, "merchant_id">[];
  keys: readonly Pick<ApiKey, "merchant_id">[];
  policies: readonly Pick<Policy, "policy_id">[];
  /** The aggregates of live and test mode. */
  aggregates: readonly Pick<DecisionAggregate, "total" | "with_outcome" | "recent">[];
  team: { members: readonly unknown[]; invitations: readonly unknown[] };
}

export interface Step {
  key: string;
  title: string;
  text: string;
  to: string;
  isDone: boolean;
}

/** DASH-20: returns the steps from an empty workspace to payments that its own policy decides. Tries do not count. */
export function stepsOf(existing: Existing, mayInvite: boolean): readonly Step[] {
  const merchants = existing.merchants.filter(({ merchant_id }) => merchant_id !== TRY_MERCHANT);
  const keys = existing.keys.filter(({ merchant_id }) => merchant_id !== TRY_MERCHANT);
  const merchant = merchants[0]?.merchant_id ?? null;
  const newest = existing.aggregates.flatMap(({ recent }) => recent)[0];
  const decision = newest === undefined ? "/api-keys?mode=test" : `/decisions/${newest.decision_id}`;
  const isDecided = existing.aggregates.some(({ total }) => total > 0);
  const steps: Step[] = [
    {
      key: "merchant",
      title: "Add a merchant",
      text: "Decisions are made for it.",
      to: "/settings?add=merchant",
      isDone: merchants.length > 0,
    },
    {
      key: "key",
      title: "Make a test key",
      text: "With the command that gets a decision.",
      to: keyOfMerchant(merchant),
      isDone: keys.length > 0,
    },
    {
      key: "decision",
      title: "Get the first decision",
      text: isDecided ? "It has arrived." : "It shows here as it arrives.",
      to: decision,
      isDone: isDecided,
    },
    {
      key: "policy",
      title: "Write a policy",
      text: "Your own rules, from a template or from nothing.",
      to: templatesAddress(merchant),
      isDone: existing.policies.length > 0,
    },
    {
      key: "outcome",
      title: "Report the first outcome",
      text: "What became of the payment, with POST /v1/outcomes.",
      to: decision,
      isDone: existing.aggregates.some(({ with_outcome }) => with_outcome > 0),
    },
  ];
  if (!mayInvite) return steps;
  const { members, invitations } = existing.team;
  const isInvited = members.length > 1 || invitations.length > 0;
  return [
    ...steps,
    {
      key: "colleague",
      title: "Invite a colleague",
      text: "Each with a role.",
      to: "/team",
      isDone: isInvited,
    },
  ];
}
