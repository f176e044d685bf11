import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { FORMATS } from "../../../../src/platform/wire/body-validator.js";

const FOLDER = new URL("../../../src/api/", import.meta.url);
const PROVIDERS = ["provider_1", "provider_2"];

/** Everything that src/api exports as a schema, by its name: one made for a deployment's providers is made for two. */
const schemas: [name: string, schema: object][] = [];
for (const file of readdirSync(fileURLToPath(FOLDER)).filter((name) => name.endsWith("-schema.js"))) {
  const exports = (await import(new URL(file, FOLDER).href)) as Readonly<Record<string, unknown>>;
  for (const [name, value] of Object.entries(exports)) {
    if (!/schemas?$/i.test(name)) continue;
    const schema: unknown = typeof value === "function" ? value(PROVIDERS) : value;
    assert.ok(typeof schema === "object" && schema !== null, name);
    const named = name.endsWith("s") ? Object.entries(schema) : [["", schema] as const];
    for (const [part, one] of named) schemas.push([`${file} ${name} ${part}`.trim(), one as object]);
  }
}

describe("schemas of what is received, which a service compiles when it first needs one", () => {
  it("there are some for every kind of body", () => {
    assert.ok(schemas.length > 35, String(schemas.length));
  });

  for (const [name, schema] of schemas) {
    it(`${name} is JSON Schema, and holds nothing that is not looked at`, () => {
      const ajv = new Ajv({ strict: true, strictTypes: false, allowUnionTypes: true, formats: FORMATS });
      assert.ok(ajv.validateSchema(schema), ajv.errorsText());
      ajv.compile(schema);
    });
  }
});
