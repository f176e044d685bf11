import assert from "node:assert/strict";
import { it } from "node:test";
import { createJumpingClock } from "../../support/machine/jumping-clock.js";
import { openDashboard } from "../../support/people/dashboard.js";
import { decisionBody, send, sendRead, startTestService } from "../../support/service/service.js";

const DAY_MS = 86_400_000;

it("RET-4, RET-5, RET-6: a decision past its workspace's limit is unknown to every read, and counted for ever", async () => {
  const clock = await createJumpingClock();
  clock.set(-3 * DAY_MS);
  const service = await startTestService(clock.env);
  const made = await send(service, "POST", "/v1/decision", { body: decisionBody() });
  const id = String(made.json["decision_id"]);
  // The process dates ids by the clock at its start, three days ago. The decision must be stored before the restart.
  assert.equal((await sendRead(service, "GET", `/v1/decisions/${id}`)).status, 200);
  clock.set(0);
  await service.killAndRestart();
  const report = (orderId = "order_1"): ReturnType<typeof send> =>
    send(service, "POST", "/v1/outcomes", {
      body: {
        decision_id: id,
        order_id: orderId,
        provider_used: "provider_1",
        outcome: "approved",
        provider_latency_ms: 20,
        amount: 129_900,
        currency: "USD",
      },
    });
  const statuses = async (): Promise<number[]> => [
    (await sendRead(service, "GET", `/v1/decisions/${id}`)).status,
    (await sendRead(service, "POST", `/v1/decisions/${id}/replay`)).status,
    (await report()).status,
    (await report("order_2")).status,
  ];
  const listed = async (): Promise<unknown> =>
    (await sendRead(service, "GET", "/v1/decisions?order_id=order_1")).json["total"];
  assert.deepEqual([await statuses(), await listed()], [[200, 200, 200, 400], 1]);
  const owner = await openDashboard(service, service.workspaceId);
  const total = async (): Promise<unknown> =>
    (await sendRead(service, "GET", "/v1/decisions/aggregate")).json["total"];
  const all = await total();
  assert.equal((await owner.request("PATCH", "/v1/admin/workspace", { retention_days: 2 })).status, 200);
  assert.deepEqual([await statuses(), await listed()], [[404, 404, 404, 404], 0]);
  assert.equal(await total(), all);
  assert.equal((await owner.request("PATCH", "/v1/admin/workspace", { retention_days: null })).status, 200);
  assert.deepEqual([await statuses(), await listed()], [[200, 200, 200, 400], 1]);
});
