import type { FromSchema } from "json-schema-to-ts";
import { CLIENT_REASON_CODES } from "../../../domain/vocabulary/client-reason-codes.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { OPTIMIZATION_MODES } from "../../../domain/vocabulary/vocabulary.js";

const score = { type: "number", minimum: 0, maximum: 100 } as const;
/** Up to the whole amount. */
const bps = { type: "integer", minimum: 0, maximum: 10_000 } as const;

/** UPPER_SNAKE (FMT-5); the client library's own codes would make an answer a lie. */
const reasonCode = {
  type: "string",
  maxLength: LIMITS.reasonCodeCharsMax,
  pattern: "^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$",
  not: { enum: CLIENT_REASON_CODES },
} as const;

const intervention = {
  type: "object",
  additionalProperties: false,
  required: ["type"],
  properties: { type: { type: "string" }, reason_code: reasonCode },
} as const;

/** RULE-10: `then`: one schema a type, in the accepted spellings. `provider` stands for `providers` with one item. */
export function actionSchemas(providers: readonly string[]) {
  const provider = { type: "string", enum: providers } as const;
  const list = { type: "array", items: provider, minItems: 1, uniqueItems: true } as const;
  const prefer = {
    type: "object",
    additionalProperties: false,
    required: ["type"],
    properties: {
      type: { type: "string" },
      providers: list,
      provider,
      strict: { type: "boolean" },
      boost: score,
    },
  } as const;
  const selection = {
    type: "object",
    additionalProperties: false,
    required: ["type"],
    properties: { type: { type: "string" }, providers: list, provider },
  } as const;
  return {
    block: intervention,
    hold: intervention,
    step_up: intervention,
    prefer_provider: prefer,
    preferred_provider: prefer,
    exclude_provider: selection,
    excluded_provider: selection,
    restrict_providers: selection,
    require_min_health: {
      type: "object",
      additionalProperties: false,
      required: ["type", "min_score"],
      properties: { type: { type: "string" }, min_score: score, providers: list, provider },
    },
    retry_on_timeout: {
      type: "object",
      additionalProperties: false,
      required: ["type"],
      properties: { type: { type: "string" }, same_provider: { type: "boolean" } },
    },
    no_retry: {
      type: "object",
      additionalProperties: false,
      required: ["type", "reason_codes"],
      properties: {
        type: { type: "string" },
        reason_codes: {
          type: "array",
          items: { type: "string", minLength: 1, maxLength: LIMITS.providerReasonCodeCharsMax },
          minItems: 1,
          maxItems: LIMITS.conditionValuesMax,
          uniqueItems: true,
        },
      },
    },
    max_cost: {
      type: "object",
      additionalProperties: false,
      required: ["type"],
      properties: {
        type: { type: "string" },
        max_effective_bps: bps,
        max_cost_minor: { type: "integer", minimum: 0, maximum: LIMITS.amountMinorMax },
      },
    },
    optimize_for: {
      type: "object",
      additionalProperties: false,
      required: ["type", "mode"],
      properties: {
        type: { type: "string" },
        mode: { type: "string", enum: OPTIMIZATION_MODES },
        margin_bps: bps,
        max_approval_drop_bps: bps,
      },
    },
    split_traffic: {
      type: "object",
      additionalProperties: false,
      required: ["type", "weights"],
      properties: {
        type: { type: "string" },
        weights: {
          type: "object",
          additionalProperties: false,
          properties: Object.fromEntries(
            providers.map((id) => [id, { type: "integer", minimum: 0, maximum: 100 }]),
          ) as Record<string, { readonly type: "integer"; readonly minimum: 0; readonly maximum: 100 }>,
        },
      },
    },
  } as const;
}

type Schemas = ReturnType<typeof actionSchemas>;
export type ActionType = keyof Schemas;

/** `preferred_provider` and `excluded_provider` are accepted spellings; the others are the normal form's. */
export const ACTION_TYPES = Object.keys(actionSchemas([])) as [ActionType, ...ActionType[]];

type Wire<T extends ActionType> = Omit<FromSchema<Schemas[T]>, "type"> & { type: T };
/** A `then` that passed the schema of its type. */
export type WireAction =
  | {
      [T in Exclude<ActionType, "split_traffic">]: Wire<T>;
    }[Exclude<ActionType, "split_traffic">]
  | { type: "split_traffic"; weights: Record<string, number> };
