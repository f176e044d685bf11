import { compilePolicy, type CompiledPolicy } from "../policy/compile-policy.js";
import type { Policy } from "../policy/policy.js";

/** A published policy as decisions name it, with its content. Several merchants' policies may share one content. */
export class DecisionPolicy {
  constructor(
    readonly policyId: string,
    /** `v1`, `v2`, … per merchant. */
    readonly version: string,
    readonly compiled: CompiledPolicy,
  ) {}

  /** Makes it from a stored policy in normal form. */
  static of(policy: Policy): DecisionPolicy {
    return new DecisionPolicy(policy.policy_id, policy.version, compilePolicy(policy));
  }
}
