import type { JsonSchema } from "../../platform/wire/body-validator.js";
import { storedConditionsSchema } from "../policies/wire/policy-response-schema.js";
import { nestedConditionSchema } from "../decisions/wire/rule-evaluation-schema.js";
import { CODE_LISTS, inPublicKeywords, type Direction } from "../../platform/wire/published-keywords.js";

export interface Components {
  /** Returns a schema as the document shows it. Named parts become references. */
  publish(schema: JsonSchema, direction: Direction): JsonSchema;
  schemas: Readonly<Record<string, JsonSchema>>;
}

/**
 * Schemas are plain objects that contain one another. The document holds each named schema once and refers to it
 * elsewhere. Schemas are compared by identity, so that nothing is repeated or named wrongly. A named schema inside one
 * of `bodies` counts as received, even if it is used elsewhere too.
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
          // Conditions refer to themselves by `#`, which is the root for their own validator. In the document they are
          // one component of many, so `#` becomes a reference to that component.
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

/** The position of a schema: the component that contains it, if any, and the direction. */
interface Place {
  name: string | null;
  direction: Direction;
}

/** The given schemas and all values inside them. */
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
