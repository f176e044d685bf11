import type { JsonSchema } from "../../platform/wire/body-validator.js";
import { storedConditionsSchema } from "../policies/wire/policy-response-schema.js";
import { nestedConditionSchema } from "../decisions/wire/rule-evaluation-schema.js";
import { CODE_LISTS, inPublicKeywords, type Direction } from "../../platform/wire/published-keywords.js";

export interface Components {
  /** A schema as the document shows it: named parts are references. */
  publish(schema: JsonSchema, direction: Direction): JsonSchema;
  schemas: Readonly<Record<string, JsonSchema>>;
}

/**
 * Schemas are plain objects that hold one another; in the document each named one stands once and is referred to. What
 * is the same is told by identity, so that nothing has to be said twice and nothing can be named wrong. A named schema
 * within one of `bodies` is received, wherever else it is used.
 */
export function createComponents(
  named: Readonly<Record<string, JsonSchema>>,
  bodies: readonly JsonSchema[],
): Components {
  const names = new Map<unknown, string>(Object.entries(named).map(([name, schema]) => [schema, name]));
  names.set(storedConditionsSchema, "Conditions");
  names.set(nestedConditionSchema, "ConditionEvaluation");
  const received = schemasWithin(bodies);

  const published = (value: unknown, within: Place): unknown => {
    const name = names.get(value);
    return name === undefined ? contentOf(value, within) : { $ref: `#/components/schemas/${name}` };
  };
  const contentOf = (value: unknown, within: Place): unknown => {
    if (Array.isArray(value)) return value.map((item) => published(item, within));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(inPublicKeywords(value as JsonSchema, within.direction)).map(
        ([key, item]: [string, unknown]) => {
          // Conditions hold conditions: to a validator of their own the root, here one schema of many.
          if (key === "$ref" && item === "#") return [key, `#/components/schemas/${within.name}`];
          return [key, published(item, within)];
        },
      ),
    );
  };
  const component = (name: string, schema: JsonSchema): JsonSchema =>
    contentOf(schema, { name, direction: received.has(schema) ? "received" : "answered" }) as JsonSchema;
  return {
    publish: (schema, direction) => published(schema, { name: null, direction }) as JsonSchema,
    schemas: {
      ...Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, component(name, schema)])),
      ...CODE_LISTS,
    },
  };
}

/** Where a schema stands: in which component, if it is in one. */
interface Place {
  name: string | null;
  direction: Direction;
}

/** The schemas given, and all that are inside them. */
function schemasWithin(schemas: readonly unknown[]): ReadonlySet<unknown> {
  const found = new Set<unknown>();
  const collect = (value: unknown): void => {
    if (typeof value !== "object" || value === null || found.has(value)) return;
    found.add(value);
    for (const item of Object.values(value)) collect(item);
  };
  schemas.forEach(collect);
  return found;
}
