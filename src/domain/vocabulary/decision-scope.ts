import type { Action, DecisionMode, Mode } from "./vocabulary.js";

/** Whose decisions a credential may read. */
export interface DecisionScope {
  /** `ws_…` */
  workspaceId: string;
  mode: Mode;
  /** The one merchant it is limited to, or null. */
  merchantScope: string | null;
}

/** LOG-2: GET /v1/decisions: filters combine; null does not filter. */
export interface DecisionFilter {
  action: Action | null;
  decisionMode: DecisionMode | null;
  /** Only enforce decisions with neither outcome nor review. */
  unresolved: boolean;
  /** Unix milliseconds: only decisions made at or after. */
  sinceMs: number | null;
  /** Exact. */
  orderId: string | null;
}

/** Lets everything through. */
export const EVERY_DECISION: DecisionFilter = {
  action: null,
  decisionMode: null,
  unresolved: false,
  sinceMs: null,
  orderId: null,
};
