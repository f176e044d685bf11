import type { Pool } from "pg";
import { findDecision, type StoredDecision } from "../persistence/decision-queries.js";
import { isId } from "../shared/ids.js";
import type { Mode } from "../shared/vocabulary.js";
import { toDecisionDetail, type DecisionDetail, type DecisionDocument } from "./decision-detail.js";

/** Whose decisions a credential may read. */
export interface DecisionReadScope {
  workspaceId: string;
  mode: Mode;
  /** The one merchant it is limited to, or null. */
  merchantScope: string | null;
}

export interface DecisionReaderOptions {
  pool: Pool;
  /** False while PostgreSQL is known to be away: the answer is then immediate. */
  isReachable(): boolean;
  /** Resolves once what this node has acknowledged can be read; false when that takes longer than `timeoutMs`. */
  persisted(timeoutMs: number): Promise<boolean>;
  /** contract §9: reads answer within 2 s, also when PostgreSQL is frozen; waiting and reading share this time. */
  timeoutMs: number;
}

export interface DecisionReader {
  /** Null for one that is unknown, malformed, or outside of the scope; `unavailable` while it cannot be known. */
  find(scope: DecisionReadScope, decisionId: string): Promise<DecisionDetail | null | "unavailable">;
}

/** Reads decisions back, one's own writes included. */
export function createDecisionReader(options: DecisionReaderOptions): DecisionReader {
  const read = async (
    scope: DecisionReadScope,
    decisionId: string,
    timeoutMs: number,
  ): Promise<StoredDecision | null | "unavailable"> => {
    let timer: NodeJS.Timeout | undefined;
    const overdue = new Promise<"unavailable">((resolve) => {
      timer = setTimeout(() => resolve("unavailable"), timeoutMs);
    });
    const found = findDecision(options.pool, scope.workspaceId, scope.mode, decisionId);
    try {
      return await Promise.race([found.catch(() => "unavailable" as const), overdue]);
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    async find(scope: DecisionReadScope, decisionId: string): Promise<DecisionDetail | null | "unavailable"> {
      if (!isId(decisionId, "dec")) return null;
      const { timeoutMs } = options;
      const startedMs = performance.now();
      if (!options.isReachable() || !(await options.persisted(timeoutMs))) return "unavailable";
      const stored = await read(scope, decisionId, timeoutMs - (performance.now() - startedMs));
      if (stored === null || stored === "unavailable") return stored;
      if (scope.merchantScope !== null && scope.merchantScope !== stored.merchantId) return null;
      return toDecisionDetail(JSON.parse(stored.doc) as DecisionDocument, stored.outcome, stored.review);
    },
  };
}
