import type { DecisionScope } from "../../domain/vocabulary/decision-scope.js";
import type { DecisionListQuery } from "./decision-list.js";

/** What this subject asks of the reader thread. */
export type DecisionRead =
  | { kind: "list"; scope: DecisionScope; query: DecisionListQuery }
  | { kind: "detail"; scope: DecisionScope; decisionId: string }
  | { kind: "replay"; scope: DecisionScope; decisionId: string }
  /** Without `source`: who caches it knows. */
  | { kind: "aggregate"; scope: DecisionScope }
  | { kind: "shadow_report"; scope: DecisionScope; days: number };

/** The scope alone, of a credential that may hold more than another thread needs or may see. */
export function scopeOf({ workspaceId, mode, merchantScope }: DecisionScope): DecisionScope {
  return { workspaceId, mode, merchantScope };
}
