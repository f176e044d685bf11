import type { HealthView } from "../health/snapshot.js";
import type { CompiledPolicy } from "../policy/compile-policy.js";
import { type Difference, differencesOf } from "./differences.js";
import { parseEvaluations, renderEvaluations } from "./evaluations-record.js";
import { decideAgain, type RecordedDecision } from "./recorded-decision.js";
import { renderDecision } from "./render.js";
import type { Seen } from "./seen.js";

/** What a replay can lack. */
export type MissingRecord = "policy" | "health" | "settings";

/** The answer of POST /v1/decisions/:decisionId/replay. */
export interface Replay {
  decision_id: string;
  /** null where it cannot be known, since something the decision saw is not recorded. */
  identical: boolean | null;
  /** Paths of the decision response, and of the detail's `provider_evaluations` and `provider_health_source`. */
  differences: Difference[];
  missing: MissingRecord[];
}

/** Makes the decision again with exactly what it saw, and compares all that was recorded of it. */
export function replayDecision(
  recorded: RecordedDecision,
  seen: Seen,
  policy: CompiledPolicy | null,
  health: HealthView,
): Replay {
  const decision = decideAgain(recorded, seen, policy, health);
  const { response, evaluations, provider_health_source } = recorded;
  const differences = differencesOf(
    {
      ...response,
      provider_evaluations: parseEvaluations(JSON.stringify(evaluations)),
      provider_health_source,
    },
    {
      // The latency is a measurement and no part of the decision.
      ...(JSON.parse(renderDecision(decision, response.decision_latency_ms)) as object),
      provider_evaluations: parseEvaluations(renderEvaluations(decision.evaluations)),
      provider_health_source: decision.providerHealthSource,
    },
  );
  return { decision_id: response.decision_id, identical: differences.length === 0, differences, missing: [] };
}

/** Nothing is claimed of a decision that cannot be made again. */
export function replayImpossible(decisionId: string, missing: MissingRecord[]): Replay {
  return { decision_id: decisionId, identical: null, differences: [], missing };
}
