import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { DatabaseGate } from "../../support/postgres/database-gate.js";
import { startOwnPostgres } from "../../support/postgres/own-postgres.js";
import {
  AS_DELIVERED,
  decisionBody,
  eventually,
  send,
  untilAnswered,
  startTestService,
  type RunningService,
} from "../../support/service/service.js";

let gate: DatabaseGate;
let service: RunningService;
before(async () => {
  ({ gate } = await startOwnPostgres());
  service = await startTestService({ ...AS_DELIVERED, DATABASE_URL: gate.url, RATE_LIMIT_PER_MINUTE: "0" });
});

async function decide(orderId: string): Promise<string> {
  const { status, json } = await send(service, "POST", "/v1/decision", {
    body: decisionBody({ order_id: orderId }),
  });
  assert.equal(status, 200);
  return json["decision_id"] as string;
}

const report = (decisionId: string, orderId: string, changes: Readonly<Record<string, unknown>> = {}) =>
  send(service, "POST", "/v1/outcomes", {
    body: {
      decision_id: decisionId,
      order_id: orderId,
      provider_used: "provider_1",
      outcome: "approved",
      provider_latency_ms: 100,
      amount: 100,
      currency: "USD",
      ...changes,
    },
  });

const isReady = async (expected: number): Promise<void> =>
  eventually(async () =>
    assert.equal((await send(service, "GET", "/ready", { key: null })).status, expected),
  );

describe("while PostgreSQL is away, outcomes of acknowledged decisions are still accepted", () => {
  it("DUR-2, DUR-4, OUT-16, OUT-17: accepts them for decisions made before and during the outage, and keeps them across kill -9", async () => {
    const before = await decide("before_outage");
    // This read makes sure that the decision has reached PostgreSQL.
    assert.equal((await untilAnswered(() => send(service, "GET", `/v1/decisions/${before}`))).status, 200);
    await gate.shut();
    await isReady(503);
    const during = await decide("during_outage");
    assert.equal((await report(before, "before_outage")).status, 200);
    assert.equal((await report(during, "during_outage", { outcome: "timeout" })).status, 200);
    assert.equal((await report(during, "of_another")).status, 400, "the order is checked");
    const unknown = "dec_01jd3vwz6c9k2m4n6p8r0s2t4v";
    assert.equal((await report(unknown, "x")).status, 404, "its id says that there is none");

    // The service is killed before it can reach PostgreSQL again.
    const restarted = service.killAndRestart();
    await gate.open();
    await restarted;
    await isReady(200);
    for (const [decisionId, outcome] of [
      [before, "approved"],
      [during, "timeout"],
    ] as const) {
      const { status, json } = await untilAnswered(() => send(service, "GET", `/v1/decisions/${decisionId}`));
      assert.equal(status, 200);
      assert.equal((json["outcome"] as Record<string, unknown>)["outcome"], outcome);
    }
    const { json } = await untilAnswered(() => send(service, "GET", "/v1/decisions/aggregate"));
    assert.equal(json["with_outcome"], 2);
    assert.equal((await report(unknown, "x")).status, 404);
  });
});
