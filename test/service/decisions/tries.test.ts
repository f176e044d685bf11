import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { HealthSnapshot } from "../../../src/client/wire-types.js";
import { TRY_ACTIONS, TRY_MERCHANT, tryPolicy, tryRequest } from "../../../src/dashboard/explain/tries.js";
import { openDashboard, type Dashboard } from "../../support/people/dashboard.js";
import { createKey, inOwnWorkspace } from "../../support/people/tenants.js";
import { eventually, send, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";

const FAILING = "provider_2";

let service: RunningService;
let owner: Dashboard;
before(async () => {
  service = await inOwnWorkspace(await sharedTestService());
  owner = await openDashboard(service, service.workspaceId);
});

async function healthOf(): Promise<HealthSnapshot[]> {
  return (await owner.get("/v1/provider-health?mode=test")).json["providers"] as HealthSnapshot[];
}

describe("DASH-24: tries", () => {
  it("each one gets its instruction, a failover while a drill fails a provider", async () => {
    await owner.request("POST", "/v1/admin/merchants", { merchant_id: TRY_MERCHANT });
    const providers = [...new Set((await healthOf()).map(({ provider }) => provider))];
    const policy = { ...tryPolicy(providers), publish: true };
    const published = await owner.request("POST", "/v1/policies", policy);
    assert.equal(published.status, 200, published.text);
    const pin = { state: "unavailable", mode: "test" };
    await owner.request("PUT", `/v1/admin/provider-overrides/${FAILING}`, pin);
    const key = await createKey(service.pool, service.workspaceId, {
      scopes: ["decision:write"],
      merchantId: TRY_MERCHANT,
    });
    for (const action of TRY_ACTIONS) {
      let tried = 0;
      await eventually(async () => {
        const body = tryRequest(action, providers, await healthOf(), `try_${action}_${tried++}`);
        assert.ok(body !== null, action);
        const { json, text } = await send(service, "POST", "/v1/decision", { body, key });
        assert.equal(json["action"], action, text);
      });
    }
  });
});
