import { compilePolicy, type CompiledPolicy } from "../policy/compile-policy.js";
import type { Policy } from "../policy/policy.js";
import { inOnePiece } from "../vocabulary/in-one-piece.js";

/** A published policy as decisions name it, and what it says, which other merchants' policies may say as well. */
export class DecisionPolicy {
  #head: string | null = null;

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

  /** See `policyHead`: written once, and kept. */
  get head(): string {
    return (this.#head ??= policyHead(this.policyId, this.version));
  }
}

/** A decision's JSON text from the end of its provider health to its matched rules, whose names follow. */
export function policyHead(policyId: string | null, version: string | null): string {
  const [id, versionJson] = [JSON.stringify(policyId), JSON.stringify(version)];
  return inOnePiece('},"policy":{"policy_id":', id, ',"policy_version":', versionJson, ',"matched_rules":[');
}
