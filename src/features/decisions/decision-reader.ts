import { readDocument } from "../../path/document/decision-document.js";
import { findStoredDecision } from "./stored-decision.js";
import type { DecisionScope } from "../../domain/vocabulary/decision-scope.js";
import { isId } from "../../domain/ids/ids.js";
import { toDecisionDetail } from "./decision-detail.js";
import type { DecisionDetail } from "./wire/decision-detail-schema.js";
import { createDecisionExplainer, type FindPolicy } from "./decision-explanation.js";
import type { TenantDb } from "../../platform/postgres/tenant-db.js";

/** Resolves to null if the id is malformed, or the decision is unknown or outside of the scope. */
export type FindDecision = (scope: DecisionScope, decisionId: string) => Promise<DecisionDetail | null>;

/** LOG-11: GET /v1/decisions/:decisionId */
export function createDecisionReader(tenants: TenantDb, findPolicy: FindPolicy): FindDecision {
  const explain = createDecisionExplainer(tenants, findPolicy);
  return async (scope, decisionId) => {
    if (!isId(decisionId, "dec")) return null;
    const stored = await findStoredDecision(tenants, scope, decisionId);
    if (stored === null) return null;
    const document = readDocument(stored.doc);
    const ruleEvaluations = await explain(scope.workspaceId, document);
    return toDecisionDetail(document, stored.outcome, stored.review, ruleEvaluations);
  };
}
