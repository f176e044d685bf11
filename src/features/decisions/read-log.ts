import type { DecisionScope } from "../../domain/vocabulary/decision-scope.js";
import type { ReadRequest } from "../reader/reads.js";

/** An answer that is finished. */
export interface FoundJson {
  json: string;
}

/** A read that sees this node's own writes; null for what does not exist, `unavailable` while PostgreSQL is away. */
export type ReadLog = (request: ReadRequest) => Promise<FoundJson | null | "unavailable">;

/** The scope alone, of a credential that may hold more than another thread needs or may see. */
export function scopeOf({ workspaceId, mode, merchantScope }: DecisionScope): DecisionScope {
  return { workspaceId, mode, merchantScope };
}
