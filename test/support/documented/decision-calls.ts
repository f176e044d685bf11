import assert from "node:assert/strict";
import { newId } from "../people/tenants.js";
import { MERCHANT, UNKNOWN_MERCHANT, type Callers } from "./account-calls.js";
import { memberOf, type DocumentedCalls } from "./documented-calls.js";

const RETURNING = {
  merchant_id: MERCHANT,
  order_id: "order_1001",
  transaction: {
    amount: 129_900,
    currency: "USD",
    country: "US",
    payment_method: "card",
    card_network: "visa",
    customer_type: "returning",
  },
  available_providers: ["provider_1", "provider_2"],
  risk_signals: { previous_success_count: 12, ip_country_match: true },
} as const;
const GUEST = {
  ...RETURNING,
  transaction: { ...RETURNING.transaction, amount: 600_000, customer_type: "guest" },
  risk_signals: {},
} as const;
const LIVE = "?mode=live";

/** Decides, reports outcomes and reviews. */
export async function callDecisions(calls: DocumentedCalls, callers: Callers): Promise<void> {
  const call = calls.call.bind(calls);
  const { key: headers } = callers;
  const decide = async (body: object): Promise<string> =>
    memberOf(await call("createDecision", 200, { headers, body }), "decision_id");
  const report = (status: number, decision_id: string, outcome: object) =>
    call("reportOutcome", status, {
      headers,
      body: {
        decision_id,
        order_id: "order_1001",
        provider_used: "provider_2",
        outcome: "approved",
        provider_latency_ms: 412,
        amount: 129_900,
        currency: "USD",
        ...outcome,
      },
    });

  const { amount: _, ...noAmount } = RETURNING.transaction;
  await call("createDecision", 400, { headers, body: { ...RETURNING, transaction: noAmount } });
  await call("createDecision", 403, { headers, body: { ...RETURNING, merchant_id: UNKNOWN_MERCHANT } });
  const keyed = { headers: { ...headers, "idempotency-key": "order_1001" }, body: RETURNING };
  const path = { decisionId: memberOf(await call("createDecision", 200, keyed), "decision_id") };
  await call("createDecision", 200, keyed);
  await report(400, path.decisionId, { amount: 0 });
  await report(404, newId("dec"), {});
  await report(200, path.decisionId, {});
  const unknown = { decisionId: newId("dec") };
  await call("getDecision", 404, { headers, path: unknown });
  await call("getDecision", 200, { headers, path });
  await call("replayDecision", 404, { headers, path: unknown });
  await call("replayDecision", 200, { headers, path });

  const shadow = await decide({ ...RETURNING, order_id: "order_1002", decision_mode: "shadow" });
  const declined = { outcome: "declined", provider_reason_code: "05" };
  await report(200, shadow, {
    order_id: "order_1002",
    ...declined,
    created_at: "2020-02-28T10:00:00.5+05:30",
  });
  const previous_attempt = { provider: "provider_1", outcome: "timeout", provider_reason_code: "05" };
  const retried = await decide({
    ...RETURNING,
    order_id: "order_1003",
    previous_attempt,
    risk_signals: { velocity_count_10m: 3 },
  });
  await report(200, retried, { order_id: "order_1003" });
  await callReviews(calls, callers, path.decisionId);

  await call("listDecisions", 400, { headers, query: "?page_size=0" });
  for (const query of ["?page_size=2", "", "?action=hold&unresolved=false&range=24h"]) {
    await call("listDecisions", 200, { headers, query });
  }
  await call("getDecisionAggregate", 200, { headers });
  await call("getShadowReport", 400, { headers, query: "?days=91" });
  await call("getShadowReport", 200, { headers, query: "?days=7" });
  const session = callers.session;
  await call("getAnalyticsSummary", 400, { headers: session, query: "?mode=staging" });
  await call("getAnalyticsSummary", 200, { headers: session, query: `${LIVE}&range=7d` });

  const rules = [
    {
      name: "Block large payments",
      when: { amount_gte: 500_000, currency_in: ["USD"] },
      then: { type: "block" },
    },
  ];
  const backtest = { merchant_id: MERCHANT, days: 7, policy: { rules } };
  await call("backtestPolicy", 400, { headers, body: { merchant_id: MERCHANT } });
  await call("backtestPolicy", 403, { headers, body: { ...backtest, merchant_id: UNKNOWN_MERCHANT } });
  await call("backtestPolicy", 200, { headers, body: backtest });
}

async function callReviews(
  calls: DocumentedCalls,
  { key, session }: Callers,
  settledId: string,
): Promise<void> {
  const call = calls.call.bind(calls);
  const review = (status: number, decisionId: string, body: object) =>
    call("resolveReview", status, { headers: session, query: LIVE, path: { decisionId }, body });
  const rejection = { resolution: "reject", note: "The address is not real." };
  for (const [order_id, body] of [
    ["order_1004", { resolution: "approve" }],
    ["order_1005", rejection],
  ] as const) {
    const held = await call("createDecision", 200, { headers: key, body: { ...GUEST, order_id } });
    assert.equal(memberOf(held, "action"), "hold");
    const decisionId = memberOf(held, "decision_id");
    await review(400, decisionId, { resolution: "approve", note: "An approval has no note." });
    await review(200, decisionId, body);
    await call("getDecision", 200, { headers: key, path: { decisionId } });
  }
  await review(404, newId("dec"), rejection);
  await review(409, settledId, rejection);

  const heldIds: string[] = [];
  for (const order_id of ["order_1006", "order_1007"]) {
    const held = await call("createDecision", 200, { headers: key, body: { ...GUEST, order_id } });
    heldIds.push(memberOf(held, "decision_id"));
  }
  const many = { headers: session, query: LIVE };
  await call("resolveReviews", 400, { ...many, body: { decision_ids: [], resolution: "approve" } });
  const decision_ids = [...heldIds, settledId, newId("dec")];
  await call("resolveReviews", 200, { ...many, body: { decision_ids, ...rejection } });
}
