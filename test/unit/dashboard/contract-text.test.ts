import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { parseContractText } from "../../../src/dashboard/pages/pricing/contract-text.js";
import { csvRecords } from "../../../src/dashboard/pages/pricing/csv-records.js";

const HEAD = "provider,payment_method,currency,percentage_bps,fixed_minor,tiers";

describe("a contract is uploaded as JSON or CSV", () => {
  it("reads back every table that was written as RFC 4180 says", () => {
    const cell = fc.string({ unit: fc.constantFrom("a", ",", ";", '"', "\n", " ", "é"), maxLength: 6 });
    const table = fc
      .integer({ min: 2, max: 4 })
      .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1 }));
    fc.assert(
      fc.property(table, fc.constantFrom("\n", "\r\n"), (rows, newline) => {
        // The first line decides the separator, so its cells contain none.
        const all = [["x", ...rows[0]!.slice(1).map(() => "y")], ...rows];
        const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`;
        const text = all.map((row) => row.map(quoted).join(",")).join(newline);
        assert.deepEqual(csvRecords(text), all);
      }),
    );
  });

  it("turns numbers into numbers and leaves other texts for the service to refuse", () => {
    const parsed = parseContractText(
      `${HEAD}\nprovider_1,card,USD,2.5,30,100000:200:10 500000:150:0\n"provider_2",card,USD,many,,`,
    );
    assert.ok(parsed.ok);
    assert.deepEqual(parsed.rules, [
      {
        provider: "provider_1",
        payment_method: "card",
        currency: "USD",
        percentage_bps: 2.5,
        fixed_minor: 30,
        tiers: [
          { amount_gte: 100_000, percentage_bps: 200, fixed_minor: 10 },
          { amount_gte: 500_000, percentage_bps: 150, fixed_minor: 0 },
        ],
      },
      { provider: "provider_2", payment_method: "card", currency: "USD", percentage_bps: "many" },
    ]);
  });

  it("ERR-19: leaves a number whose fraction would be lost as it is written, for the service to refuse it", () => {
    const written = "30.00000000000000000001";
    const parsed = parseContractText(
      `${HEAD}\nprovider_1,card,USD,2.5,${written},${written}:200:10\nprovider_2,card,USD,2.0,30.0,`,
    );
    assert.ok(parsed.ok);
    const [first, second] = parsed.rules;
    assert.equal(first?.["fixed_minor"], written);
    assert.deepEqual(first?.["tiers"], [{ amount_gte: written, percentage_bps: 200, fixed_minor: 10 }]);
    assert.deepEqual([second?.["percentage_bps"], second?.["fixed_minor"]], [2, 30]);
  });

  const refused = [
    ["an unknown column", "provider,card_number\nx,y", /card_number/],
    ["a missing column", "provider,payment_method,currency,fixed_minor\n", /percentage_bps is missing/],
    ["a column twice", `${HEAD},currency\n`, /twice/],
    ["an open quotation", `${HEAD}\n"provider_1`, /not closed/],
    ["broken JSON", "{rules", /not JSON/],
    ["JSON without rules", "{}", /a list is expected/],
  ] as const;
  for (const [what, text, message] of refused) {
    it(`refuses ${what}`, () => {
      const parsed = parseContractText(text);
      assert.ok(!parsed.ok);
      assert.match(parsed.message, message);
    });
  }

  it("names the row whose cells are not those of the head", () => {
    const parsed = parseContractText(`${HEAD}\na,b\n`);
    assert.ok(parsed.ok);
    assert.deepEqual(parsed.issues, [{ index: 0, message: "2 cells where the head has 6" }]);
  });

  it("takes a whole body's name, dates and replace", () => {
    const body = { contract_name: "N", effective_from: "2026-01-01T00:00:00Z", replace: true, rules: [{}] };
    const parsed = parseContractText(JSON.stringify(body));
    assert.ok(parsed.ok);
    assert.deepEqual(parsed.contract, { name: "N", from: "2026-01-01T00:00:00Z", replace: true });
  });
});
