import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FromSchema } from "json-schema-to-ts";
import { componentNames } from "../../../../src/features/docs/component-names.js";
import { requestSchemas } from "../../../../src/features/docs/request-schemas.js";
import type { decisionResponseSchema } from "../../../../src/path/wire/decision-response-schema.js";
import type { policySchema } from "../../../../src/features/policies/wire/policy-response-schema.js";
import type { DecisionResponse } from "../../../../src/domain/decision/response.js";
import type { PolicyVersion } from "../../../../src/features/policies/policy-rows.js";

/** The type of a service's value after it was sent as JSON. */
type Read<T> = T extends readonly (infer Item)[]
  ? Read<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Read<T[Key]> }
    : T;
type Takes<Wide, Narrow extends Wide> = Narrow;

/**
 * The domain knows no schema, so it declares its answers itself. If a schema differs, this does not compile. All other
 * bodies have the type of their schema.
 */
export type DomainContract = [
  Takes<FromSchema<typeof decisionResponseSchema>, Read<DecisionResponse>>,
  Takes<Read<DecisionResponse>, FromSchema<typeof decisionResponseSchema>>,
  Takes<FromSchema<typeof policySchema>, Read<PolicyVersion>>,
];

/** A draft that strict validation refuses is shown as it was read. */
const AS_IT_WAS_READ = "Translation.properties.draft.anyOf.properties.rules.items.properties.then";

/** HOOK-7: an event of an unknown type is acknowledged with any fields. */
const OF_UNKNOWN_TYPE = "ProviderWebhook.oneOf, Any other type";

describe("OpenAPI: schemas of the wire", () => {
  it("every object is closed, and requires only members that it has", () => {
    const schemas = componentNames(requestSchemas(["provider_1"]));
    let objects = 0;
    const walk = (schema: unknown, path: string): void => {
      if (typeof schema !== "object" || schema === null) return;
      if (Array.isArray(schema)) return schema.forEach((item) => walk(item, path));
      const { type, title, properties, additionalProperties, required } = schema as Record<string, unknown>;
      const isOpen = path === AS_IT_WAS_READ || `${path}, ${String(title)}` === OF_UNKNOWN_TYPE;
      if (type === "object" && properties !== undefined && !isOpen) {
        objects++;
        assert.equal(additionalProperties, false, `${path} takes other fields`);
        for (const name of (required ?? []) as string[])
          assert.ok(Object.hasOwn(properties as object, name), `${path} requires ${name}`);
      }
      for (const [key, value] of Object.entries(schema)) walk(value, `${path}.${key}`);
    };
    for (const [name, schema] of Object.entries(schemas)) walk(schema, name);
    assert.ok(objects > 60, `${objects} objects`);
  });
});
