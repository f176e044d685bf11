import type { DecisionScope } from "../../domain/vocabulary/decision-scope.js";
import type { DecisionListQuery } from "./decision-list.js";

/** The reads that this feature sends to the reader thread. */
export type DecisionRead =
  | { kind: "list"; scope: DecisionScope; query: DecisionListQuery }
  | { kind: "detail"; scope: DecisionScope; decisionId: string }
  | { kind: "replay"; scope: DecisionScope; decisionId: string }
  /** The aggregate has no `source`, because only the cache knows it. */
  | { kind: "aggregate"; scope: DecisionScope }
  | { kind: "shadow_report"; scope: DecisionScope; days: number };

/** Keeps only the scope. A credential can contain more than another thread needs or is allowed to see. */
export function scopeOf({ workspaceId, mode, merchantScope }: DecisionScope): DecisionScope {
  return { workspaceId, mode, merchantScope };
}
