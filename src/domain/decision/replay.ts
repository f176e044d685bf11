import type { HealthView } from "../health/snapshot.js";
import type { Policy } from "../policy/policy.js";
import { evaluationOrder } from "../policy/policy-content.js";
import { idTimeMs } from "../ids/ids.js";
import { DecisionPolicy } from "./decision-policy.js";
import { type Difference, differencesOf } from "./differences.js";
import { toEvaluationBodies } from "./evaluation-bodies.js";
import { toPolicyFacts } from "../policy/compile-policy.js";
import { decideAgain, type RecordedDecision } from "./recorded-decision.js";
import { toResponse, type DecisionResponse } from "./response.js";
import { type RuleEvaluationBody, evaluateRules } from "./rule-evaluations.js";
import { shownCost, type ShownCost } from "./shown-cost.js";

/** The records that a replay can lack. */
export type MissingRecord = "policy" | "health" | "settings";

/** The answer of POST /v1/decisions/:decisionId/replay. */
export interface Replay {
  decision_id: string;
  /** Null if it cannot be known, because an input of the decision is not recorded. */
  identical: boolean | null;
  /** Paths of the decision response, and of the detail's `provider_evaluations` and `provider_health_source`. */
  differences: Difference[];
  missing: MissingRecord[];
  /** The rules of the policy version that decided, evaluated on all inputs. Null if the inputs are not recorded. */
  rule_evaluations: RuleEvaluationBody[] | null;
  /** The recorded cost, in the form that the detail shows. */
  cost: ShownCost | null;
  economics: DecisionResponse["economics"];
}

/**
 * Makes the decision again with exactly the recorded inputs, and lists the differences. `policy` is the stored policy.
 */
export function replayDecision(
  recorded: RecordedDecision,
  policy: Policy | null,
  health: HealthView,
): Replay {
  const published = policy === null ? null : DecisionPolicy.of(policy);
  const decision = decideAgain(recorded, published, health);
  const { request, response, evaluations, provider_health_source } = recorded;
  const differences = differencesOf(
    { ...response, provider_evaluations: evaluations, provider_health_source },
    {
      // The latency is a measurement, so it is not compared.
      ...toResponse(decision, response.decision_latency_ms),
      provider_evaluations: toEvaluationBodies(decision.evaluations),
      provider_health_source: decision.providerHealthSource,
    },
  );
  const { decisionMode, risk } = decision;
  const nowMs = idTimeMs(response.decision_id);
  const facts = toPolicyFacts(request, response.mode, decisionMode, risk, nowMs, health);
  return {
    ...economyOf(response),
    identical: differences.length === 0,
    differences,
    missing: [],
    rule_evaluations:
      policy === null || published === null
        ? []
        : evaluateRules(
            published.compiled,
            evaluationOrder(policy.rules).map(({ rule_id }) => rule_id),
            facts,
          ),
  };
}

/** The result for a decision that cannot be replayed: `identical` is null, and no differences are listed. */
export function replayImpossible({ response }: RecordedDecision, missing: MissingRecord[]): Replay {
  return { ...economyOf(response), identical: null, differences: [], missing, rule_evaluations: null };
}

function economyOf({ decision_id, cost, economics }: DecisionResponse) {
  return { decision_id, cost: shownCost(cost), economics };
}
