import { toPolicyFacts } from "../../domain/policy/compile-policy.js";
import type { RecordedDecision } from "../../domain/decision/recorded-decision.js";
import { explainRules, type ExplainedRuleBody } from "../../domain/decision/rule-evaluations.js";
import { readHealth } from "../../path/document/decision-document.js";
import { findHealthGroups } from "../../path/writer/copy/batch-steps.js";
import type { TenantDb } from "../../platform/postgres/tenant-db.js";
import { createPolicyExplainer, type PolicyExplainer } from "../../domain/policy/explain-policy.js";
import type { Policy } from "../../domain/policy/policy.js";
import type { HealthStates } from "../../domain/policy/policy-facts.js";
import { idTimeMs } from "../../domain/ids/ids.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";

/** Resolves to null if the policy version of the decision, or the health that it used, is not recorded. */
export type ExplainDecision = (
  workspaceId: string,
  decision: RecordedDecision,
) => Promise<ExplainedRuleBody[] | null>;

/** Finds a policy version of any status. Resolves to null if the workspace has no such policy. */
export type FindPolicy = (workspaceId: string, policyId: string) => Promise<{ policy: Policy } | null>;

/** The health states for a policy that uses none. */
const NO_HEALTH: HealthStates = { find: () => ({ state: "unknown" }) };

/**
 * Explains the conditions of a decision's policy version, and which of them matched. The explanation is made from the
 * record when it is read, so making a decision costs no more.
 */
export function createDecisionExplainer(tenants: TenantDb, findPolicy: FindPolicy): ExplainDecision {
  const findExplainer = createExplainers(findPolicy);
  return async (workspaceId, { request, response, seen }) => {
    const { policy_id, policy_version } = response.policy;
    if (policy_id === null) return [];
    const explainer = await findExplainer(workspaceId, policy_id);
    if (explainer?.version !== policy_version) return null;
    const health = explainer.asksHealth ? await findHealth(tenants, workspaceId, seen.health) : NO_HEALTH;
    if (health === null) return null;
    const { mode, decision_mode, risk, decision_id } = response;
    const facts = toPolicyFacts(request, mode, decision_mode, risk, idTimeMs(decision_id), health);
    return explainRules(explainer, facts);
  };
}

async function findHealth(
  tenants: TenantDb,
  workspaceId: string,
  name: string,
): Promise<HealthStates | null> {
  const content = (await findHealthGroups(tenants.of(workspaceId), [name])).get(name);
  return content === undefined ? null : readHealth(name, content);
}

/** The rules of a stored policy never change, so the most recently used policies stay compiled. */
function createExplainers(findPolicy: FindPolicy) {
  /** The least recently used explainer comes first. */
  const kept = new Map<string, PolicyExplainer>();
  return async (workspaceId: string, policyId: string): Promise<PolicyExplainer | null> => {
    const key = workspaceId + policyId;
    let explainer = kept.get(key);
    if (explainer === undefined) {
      const stored = await findPolicy(workspaceId, policyId);
      if (stored === null) return null;
      explainer = createPolicyExplainer(stored.policy);
    }
    kept.delete(key);
    kept.set(key, explainer);
    for (const oldest of kept.keys()) {
      if (kept.size <= TUNING.explainedPoliciesMax) break;
      kept.delete(oldest);
    }
    return explainer;
  };
}
