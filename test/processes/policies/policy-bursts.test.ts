import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startDecisionLoad } from "../../support/load/decision-load.js";
import { decisionBody, send, startTestService, type RunningService } from "../../support/service/service.js";

const BURST = 64;
const TEXT = `Block payments over $5,000 from guests.
Prefer provider_1 for visa cards, but exclude provider_2 in NG.
Don't retry on insufficient_funds, and retry on timeout with the same provider.
Default to provider_1.`;
const POLICY = {
  merchant_id: "demo_merchant",
  name: "One of a burst",
  default_provider: "provider_1",
  rules: [{ name: "Block guests", when: { customer_type_in: ["guest"] }, then: { type: "block" } }],
};

/** Sends 64 requests at once, and counts their statuses. */
async function burst(
  service: RunningService,
  method: string,
  path: (index: number) => string,
  body?: unknown,
): Promise<Record<string, number>> {
  const replies = await Promise.all(
    Array.from({ length: BURST }, (_, index) =>
      send(service, method, path(index), body === undefined ? {} : { body }),
    ),
  );
  const counts: Record<string, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe("bursts of 64 requests with one key", () => {
  it("TRANS-1: translate answers all, even the first of a node's life, while decisions continue", async () => {
    const service = await startTestService({ RATE_LIMIT_PER_MINUTE: "100000" });
    const load = startDecisionLoad({ url: service.url, key: service.key, ratePerSecond: 200 });
    const body = { merchant_id: "demo_merchant", text: TEXT };
    // The thread that translates has not started yet.
    assert.deepEqual(await burst(service, "POST", () => "/v1/policies/translate", body), { 200: BURST });
    assert.deepEqual(await burst(service, "POST", () => "/v1/policies/translate", body), { 200: BURST });
    await load.stop();
    assert.deepEqual([...load.statuses.keys()], [200]);
    assert.equal(load.unanswered(), 0);
  });

  it("simulate, create, list and publish answer all", async () => {
    const service = await startTestService({ RATE_LIMIT_PER_MINUTE: "100000" });
    const simulated = await burst(service, "POST", () => "/v1/policies/simulate", decisionBody());
    assert.deepEqual(simulated, { 200: BURST });
    assert.deepEqual(await burst(service, "POST", () => "/v1/policies", POLICY), { 200: BURST });
    const listed = await send(service, "GET", "/v1/policies/demo_merchant");
    const ids = (listed.json["policies"] as { policy_id: string; status: string }[])
      .filter(({ status }) => status === "draft")
      .map(({ policy_id }) => policy_id);
    assert.deepEqual(await burst(service, "GET", () => "/v1/policies/demo_merchant"), { 200: BURST });
    assert.deepEqual(await burst(service, "POST", (index) => `/v1/policies/${ids[index]}/publish`), {
      200: BURST,
    });
  });
});
