import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createTraffic, DEFAULT_MERCHANTS, DEFAULT_PROVIDERS } from "../../../../bench/client/traffic.js";
import { createValidator, FORMATS, type JsonSchema } from "../../../../src/platform/wire/body-validator.js";
import { decisionRequestSchema } from "../../../../src/path/wire/decision-schema.js";
import { compileFastReader } from "../../../../src/platform/wire/fast-reader.js";
import type { DecisionRequest } from "../../../../src/domain/vocabulary/decision-request.js";

const schema = decisionRequestSchema(DEFAULT_PROVIDERS);
const read = compileFastReader<DecisionRequest>(schema, FORMATS);
/** A validator without the fast reader: JSON.parse, Ajv and the check for repeated keys. */
const validator = createValidator(schema);

const compile = (part: JsonSchema) => compileFastReader(part, FORMATS);
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

/** The reader may leave a body to the validator. If it does not, both must agree. */
function assertAgrees(text: string): "read" | "left" {
  const value = read(text);
  if (value === undefined) return "left";
  const judged = validator.parse(text);
  assert.ok(judged.ok, `read although it is refused: ${text}`);
  assert.deepEqual(plain(value), plain(judged.value));
  return "read";
}

const bodies = fc
  .integer({ min: 0, max: 2 ** 31 - 1 })
  .map((seed) => createTraffic({ seed, merchants: DEFAULT_MERCHANTS, providers: DEFAULT_PROVIDERS }).next());
const FULL = {
  merchant_id: "demo_merchant",
  order_id: "order 1",
  transaction: {
    amount: 999_999_999_999,
    currency: "USD",
    country: "NG",
    payment_method: "card",
    card_network: "visa",
    transaction_type: "sale",
    customer_type: "guest",
    risk_level: "high",
    risk_score: 100,
  },
  available_providers: ["provider_2", "provider_1"],
  previous_attempt: { provider: "provider_1", outcome: "timeout", provider_reason_code: "" },
  risk_signals: {
    velocity_count_10m: 0,
    velocity_count_1h: 12,
    velocity_amount_1h: 120_000,
    previous_success_count: 3,
    previous_decline_count: 1,
    order_age_seconds: 20,
    device_risk_band: "low",
    ip_country_match: false,
    merchant_supplied_risk_score: 7,
  },
  decision_mode: "shadow",
};
const TEXT = JSON.stringify(FULL);

describe("the fast reader of decision requests", () => {
  it("reads every request of ordinary traffic, in any order of its keys and with any space between", () => {
    const shuffled = (value: unknown): fc.Arbitrary<unknown> => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return fc.constant(value);
      return fc
        .shuffledSubarray(Object.entries(value), { minLength: Object.keys(value).length })
        .chain((entries) =>
          fc.tuple(...entries.map(([key, child]) => fc.tuple(fc.constant(key), shuffled(child)))),
        )
        .map((entries) => Object.fromEntries(entries));
    };
    const space = fc.constantFrom(undefined, 1, "\t", "\r\n  ");
    fc.assert(
      fc.property(bodies.chain(shuffled), space, (body, indent) => {
        assert.equal(assertAgrees(JSON.stringify(body, null, indent)), "read");
      }),
      { numRuns: 500 },
    );
    assert.deepEqual(plain(read(TEXT)), FULL);
  });

  it("gives all requests one shape", () => {
    const shapes = new Set<string>();
    for (const body of fc.sample(bodies, 100)) {
      const value = read(JSON.stringify(body));
      shapes.add(`${Object.keys(value ?? {}).join()} ${Object.keys(value?.transaction ?? {}).join()}`);
    }
    assert.equal(shapes.size, 1);
  });

  it("agrees with the validator on any damaged body, or leaves it", () => {
    const pieces = [
      ...`{}[]:,"\\0-1.eE+\u0000\u001F\u007F é€\uD83D truefalsnl`,
      '"amount":1,',
      '"x":0,',
      "\\u0041",
      "null",
    ];
    const damage = fc.record({
      at: fc.nat({ max: 2000 }),
      removed: fc.nat({ max: 8 }),
      inserted: fc.array(fc.constantFrom(...pieces), { maxLength: 3 }).map((parts) => parts.join("")),
    });
    fc.assert(
      fc.property(bodies, fc.array(damage, { minLength: 1, maxLength: 3 }), (body, damages) => {
        let text = JSON.stringify(body);
        for (const { at, removed, inserted } of damages) {
          const place = at % (text.length + 1);
          text = text.slice(0, place) + inserted + text.slice(place + removed);
        }
        assertAgrees(text);
      }),
      { numRuns: 5000 },
    );
  });

  it("does not read the rest of a longer body behind a shorter one", () => {
    for (let length = 0; length < TEXT.length; length++) {
      assert.notEqual(read(TEXT), undefined);
      assert.equal(read(TEXT.slice(0, length)), undefined, `cut off after ${length} characters`);
    }
  });

  const changed = (from: string, to: string): string => {
    assert.ok(TEXT.includes(from));
    return TEXT.replace(from, to);
  };
  const left: Readonly<Record<string, string>> = {
    "a repeated key": changed('"amount"', '"amount":1,"amount"'),
    "a key that is not the schema's": changed('"amount"', '"amounts":1,"amount"'),
    "a required key that is missing": changed('"merchant_id":"demo_merchant",', ""),
    "a fraction": changed("999999999999", "1.5"),
    "an exponent": changed("999999999999", "1e3"),
    "a leading zero": changed("999999999999", "01"),
    "a negative number": changed("999999999999", "-1"),
    "a number below its least": changed("999999999999", "0"),
    "a number over its most": changed('"risk_score":100', '"risk_score":101'),
    "a number with more digits than are safe": changed("999999999999", "1".repeat(16)),
    "a word that only begins as one of the enum": changed('"visa"', '"visas"'),
    "a currency that is none": changed('"USD"', '"USX"'),
    "a lower-case country": changed('"NG"', '"ng"'),
    "a merchant id out of its pattern": changed("demo_merchant", "demo merchant"),
    "a string over its most": changed("demo_merchant", "m".repeat(129)),
    "an empty string where one character is asked for": changed("demo_merchant", ""),
    "a provider named twice": changed('"provider_2","provider_1"', '"provider_1","provider_1"'),
    "no provider": changed('"provider_2","provider_1"', ""),
    "an escaped character": changed("order 1", "order\\u00201"),
    "a character outside ASCII": changed("order 1", "ordré 1"),
    "a control character": changed("order 1", "order\u00001"),
    "text behind the body": `${TEXT} {}`,
    "a trailing comma": changed('"shadow"}', '"shadow",}'),
    null: "null",
    "an array": `[${TEXT}]`,
    nothing: "",
    "a body over the reader's size": `${TEXT}${" ".repeat(17_000)}`,
  };
  for (const [what, text] of Object.entries(left)) {
    it(`leaves ${what} to the validator`, () => assert.equal(read(text), undefined));
  }

  it("refuses to be compiled from a schema with words of JSON Schema it does not know", () => {
    const object = { type: "object", additionalProperties: false, properties: {} };
    const unknown: readonly JsonSchema[] = [
      { type: "number" },
      { ...object, additionalProperties: true },
      { ...object, minProperties: 1 },
      {
        ...object,
        properties: Object.fromEntries(Array.from({ length: 32 }, (_, n) => [`p${n}`, { type: "boolean" }])),
      },
      { type: "integer", multipleOf: 5 },
      { type: "string", format: "email" },
      { type: "string", contentEncoding: "base64" },
      { type: "string", enum: ['"'] },
      { type: "array", items: { type: "string" } },
      { type: ["string", "null"] },
    ];
    for (const part of unknown) assert.throws(() => compile(part), TypeError, JSON.stringify(part));
    assert.doesNotThrow(() => compile(object));
  });
});
