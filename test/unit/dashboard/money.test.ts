import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { decimalAmount, parseAmount } from "../../../src/dashboard/design/base/money.js";
import { formatAmount } from "../../../src/dashboard/design/base/format.js";
import { firstSample, toRequest } from "../../../src/dashboard/pages/policies/trial/sample.js";
import { thenWords, whenWords } from "../../../src/dashboard/pages/policies/rules/words.js";
import { CURRENCY_EXPONENTS } from "../../../src/domain/vocabulary/currencies.js";

const plain = (text: string): string => text.replaceAll(/\s/gu, " ");

describe("DASH-30: an amount is typed in major units", () => {
  for (const [text, currency, minor, decimal, shown] of [
    ["12.50", "USD", 1250, "12.50", "USD 12.50"],
    ["12.5", "USD", 1250, "12.50", "USD 12.50"],
    ["12.", "USD", 1200, "12.00", "USD 12.00"],
    [" 7 ", "USD", 700, "7.00", "USD 7.00"],
    ["0.29", "USD", 29, "0.29", "USD 0.29"],
    ["1.15", "USD", 115, "1.15", "USD 1.15"],
    ["-0.05", "USD", -5, "-0.05", "-USD 0.05"],
    ["-0", "USD", 0, "0.00", "USD 0.00"],
    ["90071992547409.91", "USD", Number.MAX_SAFE_INTEGER, "90071992547409.91", "USD 90,071,992,547,409.91"],
    ["1200", "JPY", 1200, "1200", "JPY 1,200"],
    ["1.005", "KWD", 1005, "1.005", "KWD 1.005"],
    ["8.2", "KWD", 8200, "8.200", "KWD 8.200"],
    ["0.0001", "CLF", 1, "0.0001", "CLF 0.0001"],
    ["35.5", "CLF", 355_000, "35.5000", "CLF 35.5000"],
    ["5000", "HUF", 500_000, "5000.00", "HUF 5,000.00"],
  ] as const) {
    it(`${text} of ${currency} is ${minor} minor units, and is shown as ${shown}`, () => {
      assert.deepEqual(parseAmount(text, currency), { ok: true, minor });
      assert.equal(decimalAmount(minor, currency), decimal);
      assert.equal(plain(formatAmount(minor, currency)), shown);
    });
  }

  for (const [text, currency, error] of [
    ["12.505", "USD", "USD has 2 decimals."],
    ["12.500", "USD", "USD has 2 decimals."],
    ["1.0", "JPY", "JPY has no decimals."],
    ["1.0000", "KWD", "KWD has 3 decimals."],
    ["0.00001", "CLF", "CLF has 4 decimals."],
    ["90071992547409.92", "USD", "The amount is too large."],
    ["12,50", "USD", "Write an amount as 1250.00."],
    ["1,200.00", "USD", "Write an amount as 1250.00."],
    ["1e3", "USD", "Write an amount as 1250.00."],
    ["twelve", "JPY", "Write an amount as 125000."],
    ["", "USD", "Write an amount as 1250.00."],
    ["12.50", "QQQ", "QQQ is no currency of ISO 4217."],
  ] as const) {
    it(`refuses ${JSON.stringify(text)} of ${currency}: ${error}`, () => {
      assert.deepEqual(parseAmount(text, currency), { ok: false, error });
    });
  }

  it("every amount of every currency is read back as it is written", () => {
    const currencies = fc.constantFrom(...CURRENCY_EXPONENTS.keys());
    fc.assert(
      fc.property(fc.maxSafeInteger(), currencies, (minor, currency) => {
        const amount = minor === 0 ? 0 : minor;
        assert.deepEqual(parseAmount(decimalAmount(amount, currency), currency), { ok: true, minor: amount });
      }),
    );
  });

  it("a sample is typed in its currency, and sent in minor units", () => {
    const sample = firstSample(["provider_1"]);
    const sent = (texts: Record<string, string>): unknown =>
      toRequest({ ...sample, texts: { ...sample.texts, ...texts } }, "shop").transaction.amount;
    assert.equal(sent({}), 129_900);
    assert.equal(sent({ "transaction.currency": "kwd" }), 1_299_000);
    assert.equal(sent({ "transaction.currency": "JPY", "transaction.amount": "1299" }), 1299);
    // The service refuses a text that is no amount.
    assert.equal(sent({ "transaction.amount": "12.505" }), "12.505");
    // Without known decimals the amount is in minor units.
    assert.equal(sent({ "transaction.currency": "QQQ", "transaction.amount": "5" }), 5);
  });
});

describe("DASH-31: a policy's amounts are in the currency that the rule requires", () => {
  for (const [what, when, words] of [
    ["one", { amount_gte: 100_000, currency_in: ["USD"] }, "amount ≥ USD 1,000.00 and currency is USD"],
    [
      "one without decimals",
      { amount_gt: 5000, currency_in: ["JPY"] },
      "amount > JPY 5,000 and currency is JPY",
    ],
    ["none", { amount_gte: 100_000 }, "amount ≥ 100000 minor units"],
    [
      "several",
      { amount_lt: 100, currency_in: ["USD", "EUR"] },
      "amount < 100 minor units and currency is USD, EUR",
    ],
    [
      "excluded",
      { amount_lt: 100, currency_not_in: ["USD"] },
      "amount < 100 minor units and currency is not USD",
    ],
    ["unknown", { amount_lt: 100, currency_in: ["QQQ"] }, "amount < 100 minor units and currency is QQQ"],
    [
      "around a combination",
      { currency_in: ["KWD"], any_of: [{ amount_gte: 1500 }, { velocity_amount_1h_gte: 9000 }] },
      "currency is KWD and any of (amount ≥ KWD 1.500 or velocity amount 1h ≥ KWD 9.000)",
    ],
    [
      "in one branch only",
      { any_of: [{ amount_gte: 1500, currency_in: ["USD"] }, { amount_gte: 1500 }] },
      "any of (amount ≥ USD 15.00 and currency is USD or amount ≥ 1500 minor units)",
    ],
  ] as const) {
    it(`${what}: ${words}`, () => assert.equal(plain(whenWords(when)), words));
  }

  it("an action's amounts as well", () => {
    const then = { type: "max_cost", max_cost_minor: 250, max_effective_bps: 300 } as const;
    const of = (when: object): string => plain(thenWords({ when: { ...when }, then }));
    assert.equal(of({ currency_in: ["EUR"] }), "Max cost (max cost EUR 2.50, max effective bps 300)");
    assert.equal(of({}), "Max cost (max cost 250 minor units, max effective bps 300)");
  });
});
