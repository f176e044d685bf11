import type { RecordedDecision } from "../../domain/decision/recorded-decision.js";
import { type MissingRecord, replayDecision, replayImpossible } from "../../domain/decision/replay.js";
import { readDocument, readHealth } from "../../path/document/decision-document.js";
import { isKnownPricing } from "../../domain/decision/seen.js";
import { findStoredDecision } from "./stored-decision.js";
import type { DecisionScope } from "../../domain/vocabulary/decision-scope.js";
import { findHealthGroups } from "../../path/writer/copy/batch-steps.js";
import type { FindPolicy } from "./decision-explanation.js";
import type { ReplayBody } from "./wire/decision-report-schema.js";
import { isId } from "../../domain/ids/ids.js";
import type { TenantDb } from "../../platform/postgres/tenant-db.js";

/** Resolves to null if the id is malformed, or the decision is unknown or outside of the scope. */
export type ReplayDecision = (scope: DecisionScope, decisionId: string) => Promise<ReplayBody | null>;

/** Rebuilds the input of a stored decision and makes the decision again. */
export function createDecisionReplay(tenants: TenantDb, findPolicy: FindPolicy): ReplayDecision {
  const replay = async (workspaceId: string, recorded: RecordedDecision): Promise<ReplayBody> => {
    const { seen, response } = recorded;
    const { policy_id, policy_version } = response.policy;
    // A stored policy's rules never change. Publishing changes only its status.
    const [stored, groups] = await Promise.all([
      policy_id === null ? null : findPolicy(workspaceId, policy_id),
      findHealthGroups(tenants.of(workspaceId), [seen.health]),
    ]);
    const missing: MissingRecord[] = [];
    if (policy_id !== null && stored?.policy.version !== policy_version) missing.push("policy");
    const content = groups.get(seen.health);
    if (content === undefined) missing.push("health");
    if (!isKnownPricing(seen.pricing)) missing.push("settings");
    if (missing.length > 0 || content === undefined) return replayImpossible(recorded, missing);
    return replayDecision(recorded, stored?.policy ?? null, readHealth(seen.health, content));
  };

  return async (scope, decisionId) => {
    if (!isId(decisionId, "dec")) return null;
    const stored = await findStoredDecision(tenants, scope, decisionId);
    return stored === null ? null : replay(scope.workspaceId, readDocument(stored.doc));
  };
}
