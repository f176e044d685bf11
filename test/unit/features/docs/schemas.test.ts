import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { describe, it } from "node:test";
import { Ajv } from "ajv";
import { FORMATS } from "../../../../src/platform/wire/body-validator.js";

const SOURCES = new URL("../../../../src/", import.meta.url);
const PROVIDERS = ["provider_1", "provider_2"];

/** `wire.js` of a feature, or the files of a folder `wire`. Files with answers alone are left out. */
const WIRE =
  /(?:(?<!\/(?:alerts|analytics|audit|operations|platform-admin|provider-health|request-log|sessions|usage))\/wire\.js|\/wire\/[\w-]+-schema\.js)$/;
const ANSWERS = /(?:response|detail|log|report|evaluation|counts|error)-schema\.js$/;

/** All exported schemas by name. A schema that depends on the deployment's providers is made for two providers. */
const schemas: [name: string, schema: object][] = [];
for (const file of readdirSync(SOURCES, { recursive: true, encoding: "utf8" })) {
  if (!WIRE.test(file) || ANSWERS.test(file)) continue;
  const exports = (await import(new URL(file, SOURCES).href)) as Readonly<Record<string, unknown>>;
  for (const [name, value] of Object.entries(exports)) {
    if (!/schemas?$/i.test(name)) continue;
    const schema: unknown = typeof value === "function" ? value(PROVIDERS) : value;
    assert.ok(typeof schema === "object" && schema !== null, name);
    const named = name.endsWith("s") ? Object.entries(schema) : [["", schema] as const];
    for (const [part, one] of named) schemas.push([`${file} ${name} ${part}`.trim(), one as object]);
  }
}

describe("schemas of received bodies, which a service compiles at their first use", () => {
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
