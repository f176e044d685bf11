import type { Pool } from "pg";
import { findDecision } from "../persistence/decision-queries.js";
import type { DecisionScope } from "../persistence/decision-scope.js";
import { isId } from "../shared/ids.js";
import type { DatabaseRead } from "./database-read.js";
import { toDecisionDetail, type DecisionDetail, type DecisionDocument } from "./decision-detail.js";

export interface DecisionReader {
  /** Null for one that is unknown, malformed, or outside of the scope; `unavailable` while it cannot be known. */
  find(scope: DecisionScope, decisionId: string): Promise<DecisionDetail | null | "unavailable">;
}

/** Reads decisions back, one's own writes included. */
export function createDecisionReader(pool: Pool, read: DatabaseRead): DecisionReader {
  return {
    async find({ workspaceId, mode, merchantScope }, decisionId) {
      if (!isId(decisionId, "dec")) return null;
      const stored = await read(() => findDecision(pool, workspaceId, mode, decisionId));
      if (stored === null || stored === "unavailable") return stored;
      if (merchantScope !== null && merchantScope !== stored.merchantId) return null;
      return toDecisionDetail(JSON.parse(stored.doc) as DecisionDocument, stored.outcome, stored.review);
    },
  };
}
