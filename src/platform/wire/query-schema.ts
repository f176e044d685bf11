import { LIMITS } from "../../domain/vocabulary/limits.js";
import { ACTIONS, DECISION_MODES, MODES } from "../../domain/vocabulary/vocabulary.js";

/**
 * The schemas of query parameters. platform/http/query.ts reads parameters by them, and the API's document shows them.
 */

export interface IntegerParameter {
  readonly minimum: number;
  readonly maximum: number;
  /** The value if the parameter is absent. */
  readonly default: number;
}

export interface EnumParameter<T extends string> {
  readonly enum: readonly T[];
}

export interface TextParameter {
  readonly minLength: number;
  readonly maxLength: number;
  readonly pattern: string;
}

/** AUTH-15: the mode that a session reads. An API key always reads its own mode. */
export const modeParameter = { type: "string", enum: MODES, default: "live" } as const;

/** LOG-1: `page_size` of GET /v1/decisions. */
export const pageSizeParameter = {
  type: "integer",
  minimum: 1,
  maximum: LIMITS.pageRowsMax,
  default: LIMITS.pageRowsDefault,
} as const;
export const pageParameter = {
  type: "integer",
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  default: 1,
} as const;
/** REV-13: `order` of GET /v1/decisions. */
export const listOrderParameter = { type: "string", enum: ["newest", "oldest"], default: "newest" } as const;
export const actionParameter = { type: "string", enum: ACTIONS } as const;
export const decisionModeParameter = { type: "string", enum: DECISION_MODES } as const;

/** AGG-6: `days` of GET /v1/decisions/shadow-report. */
export const shadowReportDaysParameter = {
  type: "integer",
  minimum: 1,
  maximum: LIMITS.shadowReportDaysMax,
  default: LIMITS.shadowReportDaysDefault,
} as const;
