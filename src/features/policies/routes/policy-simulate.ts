import { toDecisionContext, type DecisionContexts } from "../../../path/decide/context/decision-contexts.js";
import { draftPolicy, type ParsedDraftBody } from "../wire/draft-body.js";
import type { SimulatedBody } from "../wire/policy-trial-response-schema.js";
import type { SimulationBody } from "../wire/simulation-schema.js";
import { DecisionPolicy } from "../../../domain/decision/decision-policy.js";
import { simulate } from "../../../domain/decision/simulation.js";
import { policyContent } from "../../../domain/policy/policy-content.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import type { ScopedRoute } from "../../../path/front/route.js";

export interface PolicySimulateDependencies {
  parse(body: string): ParsedDraftBody<SimulationBody>;
  /** The replica that the decide workers read. */
  contexts: DecisionContexts;
  /** Unix milliseconds. */
  now(): number;
}

/** A draft is not stored, so it has no id and no version. */
const UNNAMED = { policy_id: null, policy_version: null };

/**
 * POST /v1/policies/simulate shows the decision that the sample in the body would get now, and the reasons. It uses the
 * draft in the body if there is one, and otherwise the published policy. Nothing is stored, and no metric counts the
 * result as a decision.
 */
export function policySimulateRoute({ parse, contexts, now }: PolicySimulateDependencies): ScopedRoute {
  return {
    method: "POST",
    onRepeat: "again",
    path: "/v1/policies/simulate",
    access: { scope: "policy:read" },
    bodyBytesMax: LIMITS.largeBodyBytesMax,
    line: "slices",
    handle(exchange, grant, _params, body) {
      const parsed = parse(body);
      if (!parsed.ok) return exchange.fail(parsed);
      const { merchant_id, order_id = "", policy: _policy, ...request } = parsed.body;
      if (grant.merchantScope !== null && grant.merchantScope !== merchant_id) {
        return exchange.fail({ kind: "other_merchant_scope" });
      }
      contexts.refresh();
      const merchant = contexts.merchant(grant.workspaceId, grant.mode, merchant_id);
      if (merchant === null) return exchange.fail({ kind: "unknown_merchant" });
      const { draft } = parsed;
      const health = contexts.health(grant.workspaceId, grant.mode);
      const nowMs = now();
      const live = toDecisionContext(merchant, health, request.transaction, nowMs);
      const trial = draft === null ? null : draftPolicy(draft);
      const simulation = simulate(
        {
          request: { ...request, merchant_id, order_id },
          context: trial === null ? live : { ...live, policy: DecisionPolicy.of(trial) },
          mode: grant.mode,
          decisionId: "",
          nowMs,
        },
        trial === null ? contexts.ruleIds(grant.workspaceId, merchant_id) : policyContent(trial).ruleIds,
      );
      const answer: SimulatedBody = {
        ...simulation,
        policy: draft === null ? simulation.policy : { ...simulation.policy, ...UNNAMED },
        // Errors were answered earlier. A published policy has no warnings (POL-6).
        validation: { valid: true, errors: [], warnings: draft?.warnings ?? [] },
      };
      exchange.send(200, JSON.stringify(answer));
    },
  };
}
