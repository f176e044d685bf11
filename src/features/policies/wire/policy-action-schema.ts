import type { ActionOption, ActionRow } from "../../../domain/policy/action-row.js";
import { ACTION_SPELLINGS, actionRow, type ActionType } from "../../../domain/policy/action-rows.js";
import type { WrittenAction } from "../../../domain/policy/normal-form.js";
import { CLIENT_REASON_CODES } from "../../../domain/vocabulary/client-reason-codes.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import type { JsonSchema } from "../../../platform/wire/body-validator.js";
import type { ValidationIssue } from "../../../platform/wire/validation-issue.js";

type ActionSchema = {
  readonly type: "object";
  readonly additionalProperties: false;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, JsonSchema>>;
};

/**
 * The code is UPPER_SNAKE (FMT-5). The client library's own codes are refused, because the service never gives them.
 */
const reasonCode = {
  type: "string",
  maxLength: LIMITS.reasonCodeCharsMax,
  pattern: "^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$",
  not: { enum: CLIENT_REASON_CODES },
} as const;

/** Action types with the same options share a schema. `provider` stands for `providers` with one item. */
function createActionSchema(providers: readonly string[]): (options: ActionRow["options"]) => ActionSchema {
  const provider = { type: "string", enum: providers } as const;
  const propertyOf = (option: ActionOption): JsonSchema => {
    switch (option.kind) {
      case "providers":
        return { type: "array", items: provider, minItems: 1, uniqueItems: true };
      case "reason_code":
        return reasonCode;
      case "provider_reason_codes":
        return {
          type: "array",
          items: { type: "string", minLength: 1, maxLength: LIMITS.providerReasonCodeCharsMax },
          minItems: 1,
          maxItems: LIMITS.conditionValuesMax,
          uniqueItems: true,
        };
      case "weights": {
        const percent = { type: "integer", minimum: 0, maximum: 100 } as const;
        return {
          type: "object",
          additionalProperties: false,
          properties: Object.fromEntries(providers.map((id) => [id, percent])),
        };
      }
      case "flag":
        return { type: "boolean" };
      case "choice":
        return { type: "string", enum: option.values };
      case "number": {
        const [minimum, maximum] = option.bounds;
        return { type: option.isInteger ? "integer" : "number", minimum, maximum };
      }
    }
  };
  const made = new Map<ActionRow["options"], ActionSchema>();
  return (options) => {
    const known = made.get(options);
    if (known !== undefined) return known;
    const listed = Object.entries(options);
    const schema: ActionSchema = {
      type: "object",
      additionalProperties: false,
      required: ["type", ...listed.filter(isRequiredAsWritten).map(([name]) => name)],
      properties: {
        type: { type: "string" },
        ...Object.fromEntries(
          listed.flatMap(([name, option]): [string, JsonSchema][] =>
            option.kind === "providers"
              ? [
                  [name, propertyOf(option)],
                  ["provider", provider],
                ]
              : [[name, propertyOf(option)]],
          ),
        ),
      },
    };
    made.set(options, schema);
    return schema;
  };
}

/** `providers` may be written as `provider`, so it is not required. */
function isRequiredAsWritten([, { kind, presence }]: [string, ActionOption]): boolean {
  return presence === "required" && kind !== "providers";
}

/** RULE-10: the schemas of `then`, one for each accepted spelling of an action type. */
export function actionSchemas(providers: readonly string[]): Readonly<Record<string, ActionSchema>> {
  const schemaOf = createActionSchema(providers);
  return Object.fromEntries(
    Array.from(ACTION_SPELLINGS, ([spelling, type]) => [spelling, schemaOf(actionRow(type).options)]),
  );
}

export const WRITTEN_ACTION_TYPES: readonly string[] = [...ACTION_SPELLINGS.keys()];

const PERCENT_TOTAL = 100;

/** Checks a `then` that passed its schema against the rules that the schema cannot express. */
export function actionIssues(action: WrittenAction, path: string): ValidationIssue[] {
  const { options, needsOneOf = [] } = actionRow(ACTION_SPELLINGS.get(action.type) as ActionType);
  const values: Readonly<Record<string, unknown>> = action;
  const isLacking = needsOneOf.length > 0 && needsOneOf.every((name) => values[name] === undefined);
  return [
    ...(isLacking ? [{ path, code: "custom" as const, message: `Needs ${needsOneOf.join(" or ")}` }] : []),
    ...Object.entries(options).flatMap(([name, option]) => optionIssues(name, option, values, path)),
  ];
}

function optionIssues(
  name: string,
  option: ActionOption,
  values: Readonly<Record<string, unknown>>,
  path: string,
): ValidationIssue[] {
  if (option.kind === "providers") return providersIssues(values, path, option.presence === "required");
  if (option.kind !== "weights") return [];
  const percents = Object.values(values[name] as Record<string, number>);
  const total = percents.reduce((sum, percent) => sum + percent, 0);
  return total === PERCENT_TOTAL
    ? []
    : [{ path: `${path}.${name}`, code: "custom", message: `Weights must sum to ${PERCENT_TOTAL}` }];
}

function providersIssues(
  { providers, provider }: Readonly<Record<string, unknown>>,
  path: string,
  required: boolean,
): ValidationIssue[] {
  if (providers !== undefined && provider !== undefined) {
    return [{ path: `${path}.provider`, code: "custom", message: "Give either providers or provider" }];
  }
  if (required && providers === undefined && provider === undefined) {
    return [{ path: `${path}.providers`, code: "invalid_type", message: "Required" }];
  }
  return [];
}

/** Returns the rules of `actionIssues` as a schema, for the API's document. */
export function actionRules({ options, needsOneOf, description }: ActionRow): JsonSchema {
  const providers = Object.values(options).find(({ kind }) => kind === "providers");
  if (providers?.presence === "required") {
    return {
      description: "Either providers or provider, which is the same with one item.",
      oneOf: [requiring("providers"), requiring("provider")],
    };
  }
  if (providers !== undefined) {
    return {
      description: "Of the providers named, or of every one; not providers and provider together.",
      not: requiring("providers", "provider"),
    };
  }
  return {
    ...(description === undefined ? {} : { description }),
    ...(needsOneOf === undefined ? {} : { anyOf: needsOneOf.map((name) => requiring(name)) }),
  };
}

/** Some linters of OpenAPI require a declaration beside each required member. */
function requiring(...names: string[]): JsonSchema {
  return { required: names, properties: Object.fromEntries(names.map((name) => [name, {}])) };
}
