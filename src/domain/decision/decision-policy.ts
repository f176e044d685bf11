import { compilePolicy, type CompiledPolicy } from "../policy/compile-policy.js";
import type { Policy } from "../policy/policy.js";

/**
 * A published policy's content, with the id and version that decisions record. Several policies can share one content.
 */
export class DecisionPolicy {
  constructor(
    readonly policyId: string,
    /** `v1`, `v2`, … per merchant. */
    readonly version: string,
    readonly compiled: CompiledPolicy,
  ) {}

  /** Compiles a stored policy that is in normal form. */
  static of(policy: Policy): DecisionPolicy {
    return new DecisionPolicy(policy.policy_id, policy.version, compilePolicy(policy));
  }
}
