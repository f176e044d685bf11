import type { JsonSchema } from "../body-validator.js";
import { storedConditionsSchema } from "../response/policy-response-schema.js";
import { nestedConditionSchema } from "../response/rule-evaluation-schema.js";

/** Formats that validation knows by another name. */
const PUBLISHED_FORMATS: Readonly<Record<string, string>> = { "iso-8601": "date-time" };

export interface Components {
  /** A schema as the document shows it: named parts are references. */
  publish(schema: JsonSchema): JsonSchema;
  schemas: Readonly<Record<string, JsonSchema>>;
}

/**
 * Schemas are plain objects that hold one another; in the document each named one stands once and is referred to. What
 * is the same is told by identity, so that nothing has to be said twice and nothing can be named wrong.
 */
export function createComponents(named: Readonly<Record<string, JsonSchema>>): Components {
  const names = new Map<unknown, string>(Object.entries(named).map(([name, schema]) => [schema, name]));
  names.set(storedConditionsSchema, "Conditions");
  names.set(nestedConditionSchema, "ConditionEvaluation");

  const published = (value: unknown, within: string | null): unknown => {
    const name = names.get(value);
    return name === undefined ? contentOf(value, within) : { $ref: `#/components/schemas/${name}` };
  };
  const contentOf = (value: unknown, within: string | null): unknown => {
    if (Array.isArray(value)) return value.map((item) => published(item, within));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]: [string, unknown]) => {
        // Conditions hold conditions: to a validator of their own the root, here one schema of many.
        if (key === "$ref" && item === "#") return [key, `#/components/schemas/${within}`];
        if (key === "format" && typeof item === "string") return [key, PUBLISHED_FORMATS[item] ?? item];
        return [key, published(item, within)];
      }),
    );
  };
  return {
    publish: (schema) => published(schema, null) as JsonSchema,
    schemas: Object.fromEntries(
      Object.entries(named).map(([name, schema]) => [name, contentOf(schema, name) as JsonSchema]),
    ),
  };
}
