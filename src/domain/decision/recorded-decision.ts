import type { HealthView } from "../health/snapshot.js";
import type { DecisionRequest } from "../vocabulary/decision-request.js";
import { idTimeMs } from "../ids/ids.js";
import type { HealthSource } from "../vocabulary/vocabulary.js";
import { decide } from "./decide.js";
import type { Decision } from "./decision.js";
import type { DecisionPolicy } from "./decision-policy.js";
import type { ProviderEvaluationBody } from "./evaluation-bodies.js";
import type { DecisionResponse } from "./response.js";
import { attemptsOf, type Seen, rebuildPricing } from "./seen.js";

/** The recorded parts of a decision, as values. path/document writes and reads them. */
export interface RecordedDecision {
  request: DecisionRequest;
  response: DecisionResponse;
  evaluations: ProviderEvaluationBody[];
  provider_health_source: HealthSource;
  seen: Seen;
}

/**
 * Makes a recorded decision again, with its recorded request, settings, mode, id and time. Pass the recorded `policy`
 * and `health` to repeat the decision, or others to compare results.
 */
export function decideAgain(
  { request, response, seen }: RecordedDecision,
  policy: DecisionPolicy | null,
  health: HealthView,
): Decision {
  return decide({
    request,
    context: {
      policy,
      health,
      riskBlockThreshold: seen.risk_block_threshold,
      normalAmountMaxMinor: seen.normal_amount_max_minor,
      defaultDecisionMode: seen.default_decision_mode,
      pricing: rebuildPricing(seen.pricing),
    },
    mode: response.mode,
    decisionId: response.decision_id,
    nowMs: idTimeMs(response.decision_id),
    attempts: attemptsOf(seen),
  });
}
