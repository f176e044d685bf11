import { compilePolicy, type CompiledPolicy } from "../policy/compile-policy.js";
import type { Policy } from "../policy/policy.js";

/** A published policy as decisions name it, and what it says, which other merchants' policies may say as well. */
export class DecisionPolicy {
  constructor(
    readonly policyId: string,
    /** `v1`, `v2`, … per merchant. */
    readonly version: string,
    readonly compiled: CompiledPolicy,
  ) {}

  /** Of a stored policy in normal form. */
  static of(policy: Policy): DecisionPolicy {
    return new DecisionPolicy(policy.policy_id, policy.version, compilePolicy(policy));
  }
}
