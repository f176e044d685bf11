import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openConnection, requestText } from "../support/raw-http.js";
import { decisionBody, send } from "../support/service.js";
import { sharedTestService } from "../support/shared-service.js";
import { createKey } from "../support/tenants.js";

/** How late the end of a body is; a latency that counted it would be longer. */
const BODY_DELAY_MS = 500;

describe("contract §4: decision_latency_ms", () => {
  it("counts from the last body byte: a body whose end comes late does not make it longer", async () => {
    const service = await sharedTestService();
    const body = JSON.stringify(decisionBody());
    // The key is known from here on: the request below waits for nothing but its body.
    assert.equal((await send(service, "POST", "/v1/decision", { body })).status, 200);
    const head: [string, string][] = [
      ["x-api-key", service.key],
      ["content-type", "application/json"],
    ];
    const half = body.length / 2;
    const connection = await openConnection(service.url);
    connection.write(requestText("POST", "/v1/decision", [...head, ["content-length", String(body.length)]]));
    connection.write(body.slice(0, half));
    await sleep(BODY_DELAY_MS);
    connection.write(body.slice(half));
    const reply = await connection.reply();
    connection.destroy();
    assert.equal(reply.status, 200);
    const latencyMs = (JSON.parse(reply.body) as { decision_latency_ms: number }).decision_latency_ms;
    assert.ok(latencyMs < 0.8 * BODY_DELAY_MS, `${latencyMs} ms`);
  });

  it("counts from the last body byte: looking up a key that is not cached makes it longer", async () => {
    const service = await sharedTestService();
    const key = await createKey(service.pool, service.workspaceId);
    const client = await service.pool.connect();
    try {
      await client.query("begin");
      await client.query("lock table api_keys in access exclusive mode");
      const deciding = send(service, "POST", "/v1/decision", { body: decisionBody(), key });
      await sleep(BODY_DELAY_MS);
      await client.query("rollback");
      const { status, json } = await deciding;
      assert.equal(status, 200);
      const latencyMs = json["decision_latency_ms"] as number;
      assert.ok(latencyMs > 0.5 * BODY_DELAY_MS, `${latencyMs} ms`);
    } finally {
      client.release();
    }
  });
});
