import type { DecisionScope } from "../../domain/vocabulary/decision-scope.js";
import type { DecisionListQuery } from "./decision-list.js";

/** What this subject asks of the reader thread. */
export type DecisionRead =
  | { kind: "list"; scope: DecisionScope; query: DecisionListQuery }
  | { kind: "detail" | "replay"; scope: DecisionScope; decisionId: string }
  /** Without `source`: who caches it knows. */
  | { kind: "aggregate"; scope: DecisionScope }
  | { kind: "shadow_report"; scope: DecisionScope; days: number };

/** An answer that is finished. */
export interface FoundJson {
  json: string;
}

/** A read that sees this node's own writes; null for what does not exist, `unavailable` while PostgreSQL is away. */
export type ReadLog<Request> = (request: Request) => Promise<FoundJson | null | "unavailable">;

/** The scope alone, of a credential that may hold more than another thread needs or may see. */
export function scopeOf({ workspaceId, mode, merchantScope }: DecisionScope): DecisionScope {
  return { workspaceId, mode, merchantScope };
}
