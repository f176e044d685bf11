import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { DatabaseGate } from "../../support/postgres/database-gate.js";
import { signIn } from "../../support/people/feedback.js";
import { startOwnPostgres } from "../../support/postgres/own-postgres.js";
import {
  AS_DELIVERED,
  decisionBody,
  eventually,
  send,
  startTestService,
  type RunningService,
} from "../../support/service/service.js";
import { createWorkspace } from "../../support/people/tenants.js";
import { secretOf, sendWebhook, WEBHOOK_SECRET_KEY } from "../../support/service/webhooks.js";

let gate: DatabaseGate;
let service: RunningService;
before(async () => {
  ({ gate } = await startOwnPostgres());
  service = await startTestService({
    ...AS_DELIVERED,
    DATABASE_URL: gate.url,
    SECRET_KEY: WEBHOOK_SECRET_KEY,
  });
});

describe("DUR-5: provider webhooks while PostgreSQL is away", () => {
  it("are 503 until they are stored; a bad signature is still 401; contract prices still apply", async () => {
    const workspaceId = await createWorkspace(service, { merchants: ["shop"] });
    const { token } = await signIn(service.pool, workspaceId, "owner");
    const put = (body: object) =>
      send(service, "PUT", "/v1/integrations/provider_1/webhook-secret", {
        body,
        key: null,
        headers: { authorization: `Bearer ${token}` },
      });
    assert.equal((await put({ merchant_id: "shop", secret: secretOf("shop") })).status, 200);
    const rules = [
      {
        provider: "provider_1",
        payment_method: "card",
        currency: "USD",
        percentage_bps: 100,
        fixed_minor: 0,
      },
    ];
    const contract = {
      merchant_id: "demo_merchant",
      contract_name: "x",
      effective_from: "2026-01-01T00:00:00Z",
      rules,
    };
    const upload = () => send(service, "POST", "/v1/pricing/rules", { body: contract });
    assert.equal((await upload()).status, 200);

    await gate.shut();
    assert.equal((await sendWebhook(service, { id: "late" })).status, 503);
    assert.equal((await sendWebhook(service, { secret: secretOf("else") })).status, 401);
    assert.equal((await sendWebhook(service, { merchantId: "nobody" })).status, 401);
    assert.equal((await upload()).status, 503);
    const body = decisionBody({ available_providers: ["provider_1"] });
    const { json } = await send(service, "POST", "/v1/decision", { body });
    assert.equal((json["cost"] as { estimated_cost_minor: number }).estimated_cost_minor, 1299);

    await gate.open();
    await eventually(async () => {
      const { status, text } = await sendWebhook(service, { id: "late" });
      assert.deepEqual([status, text], [200, '{"status":"accepted"}']);
    });
  });
});
