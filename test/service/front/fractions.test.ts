import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { bearer, register } from "../../support/people/accounts.js";
import { decisionBody, sendRead, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import { feeBody, secretOf, sendWebhook } from "../../support/service/webhooks.js";

let service: RunningService;
let session: string;
before(async () => {
  service = await sharedTestService();
  session = (await register(service)).token;
});

const AMOUNT = 12_345_678;
/** The text of a body, with the amount written as `number`. */
const written = (body: unknown, number: string): string => {
  const text = JSON.stringify(body);
  assert.ok(text.includes(String(AMOUNT)));
  return text.replace(String(AMOUNT), number);
};
const rule = { name: "large", when: { amount_gte: AMOUNT, currency_in: ["USD"] }, then: { type: "hold" } };
const transaction = { amount: AMOUNT, currency: "USD", country: "US", payment_method: "card" };
const price = { provider: "provider_1", payment_method: "card", currency: "USD", percentage_bps: 290 };
const contract = { merchant_id: "demo_merchant", contract_name: "c", effective_from: "2026-01-01T00:00:00Z" };

type Issue = { path: string; code: string };
const bodies: [method: string, path: string, as: "key" | "session", body: unknown, issuePath: string][] = [
  ["POST", "/v1/decision", "key", decisionBody({ transaction }), "transaction.amount"],
  [
    "POST",
    "/v1/decision",
    "key",
    decisionBody({ risk_signals: { velocity_amount_1h: AMOUNT } }),
    "risk_signals.velocity_amount_1h",
  ],
  [
    "POST",
    "/v1/policies",
    "key",
    { merchant_id: "demo_merchant", name: "p", rules: [rule] },
    "rules.0.when.amount_gte",
  ],
  [
    "POST",
    "/v1/policies/simulate",
    "key",
    { merchant_id: "demo_merchant", transaction, available_providers: ["provider_1"] },
    "transaction.amount",
  ],
  [
    "POST",
    "/v1/policies/simulate",
    "key",
    {
      merchant_id: "demo_merchant",
      transaction: { ...transaction, amount: 1 },
      available_providers: ["provider_1"],
      policy: { rules: [rule] },
    },
    "policy.rules.0.when.amount_gte",
  ],
  [
    "POST",
    "/v1/pricing/rules",
    "key",
    { ...contract, rules: [{ ...price, fixed_minor: AMOUNT }] },
    "rules.0.fixed_minor",
  ],
  ["POST", "/v1/policies/backtest", "key", { merchant_id: "demo_merchant", days: AMOUNT, limit: 10 }, "days"],
  ["PATCH", "/v1/admin/workspace", "session", { risk_block_threshold: AMOUNT }, "risk_block_threshold"],
];

describe("a number whose fraction a double loses is no integer", () => {
  for (const [method, path, as, body, issuePath] of bodies) {
    for (const number of ["50.0000000000000000001", "1e-400", "4503599627370496.1"]) {
      it(`ERR-10, ERR-19: ${method} ${path} with ${issuePath} of ${number}`, async () => {
        const { status, json, text } = await sendRead(service, method, path, {
          body: written(body, number),
          ...(as === "key" ? {} : { key: null, headers: bearer(session) }),
        });
        assert.equal(status, 400, text);
        const issues = json["issues"] as Issue[];
        assert.ok(
          issues.some((issue) => issue.path === issuePath && issue.code === "invalid_type"),
          text,
        );
      });
    }
  }

  it("ERR-19: accepts an integer in any notation", async () => {
    for (const number of ["12500.0", "1.25e4", "125000e-1", "12500.000000000000000000000"]) {
      const body = written(decisionBody({ transaction }), number);
      const { status, text } = await sendRead(service, "POST", "/v1/decision", { body });
      assert.equal(status, 200, `${number}: ${text}`);
    }
  });

  it("ERR-7: a number too large for an amount is too_big, with any last digits", async () => {
    for (const number of ["100000000000000000000001", "9007199254740992", "9007199254740993", "1e23"]) {
      const body = written(decisionBody({ transaction }), number);
      const { status, json } = await sendRead(service, "POST", "/v1/decision", { body });
      const issues = (json["issues"] as Issue[]).map(({ path, code }) => ({ path, code }));
      assert.deepEqual([status, issues], [400, [{ path: "transaction.amount", code: "too_big" }]], number);
    }
  });

  it("ERR-7: minus zero is zero", async () => {
    for (const number of ["-0", "-0.0", "-0e5"]) {
      const body = written(decisionBody({ transaction }), number);
      const { status, json } = await sendRead(service, "POST", "/v1/decision", { body });
      const issues = (json["issues"] as Issue[]).map(({ path, code }) => ({ path, code }));
      assert.deepEqual([status, issues], [400, [{ path: "transaction.amount", code: "too_small" }]], number);
    }
  });

  it("ERR-19, HOOK-8: a webhook's fee is judged as written, but unread data is not", async () => {
    const body = { merchant_id: "demo_merchant", secret: secretOf("fractions") };
    const { status } = await sendRead(service, "PUT", "/v1/integrations/provider_1/webhook-secret", {
      body,
      key: null,
      headers: bearer((await register(service, undefined)).token),
    });
    assert.equal(status, 200);
    const sent = { merchantId: "demo_merchant", secret: secretOf("fractions") };
    const fee = await sendWebhook(service, {
      ...sent,
      body: written(JSON.parse(feeBody({ fee_minor: AMOUNT })), "320.00000000000000000001"),
    });
    assert.equal(fee.status, 400, fee.text);
    assert.equal((fee.json["issues"] as Issue[])[0]?.path, "data.fee_minor");
    const settled = { type: "payment.settled", created_at: new Date().toISOString(), data: { rate: AMOUNT } };
    const free = await sendWebhook(service, { ...sent, body: written(settled, "1.00000000000000000001") });
    assert.equal(free.status, 200, free.text);
  });
});
