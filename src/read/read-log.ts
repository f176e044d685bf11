import type { DecisionScope } from "../persistence/decision-scope.js";
import type { ReadRequest } from "./reads.js";

/** A read that sees this node's own writes, as finished JSON; null for what does not exist. */
export type ReadLog = (request: ReadRequest) => Promise<string | null | "unavailable">;

/** The scope alone, of a credential that may hold more than another thread needs or may see. */
export function scopeOf({ workspaceId, mode, merchantScope }: DecisionScope): DecisionScope {
  return { workspaceId, mode, merchantScope };
}
