import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { ROLES, type Role } from "../../../src/domain/vocabulary/vocabulary.js";
import { openDashboard } from "../../support/people/dashboard.js";
import { send, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import { createKey, createWorkspace, newId, setWorkspaceStatus } from "../../support/people/tenants.js";

let service: RunningService;
let workspaceId: string;
before(async () => {
  service = await sharedTestService();
  workspaceId = await createWorkspace(service);
});

/** The roles that each route permits. For those roles the route answers with this status. */
const ROUTES: [method: string, path: string, roles: readonly Role[], status: number, body?: unknown][] = [
  ["GET", "/v1/admin/workspace", ROLES, 200],
  ["PATCH", "/v1/admin/workspace", ["owner", "admin"], 200, {}],
  ["GET", "/v1/admin/merchants", ROLES, 200],
  ["POST", "/v1/admin/merchants", ["owner", "admin", "developer"], 409, { merchant_id: "demo_merchant" }],
  ["GET", "/v1/admin/audit-log", ["owner", "admin"], 200],
  ["GET", "/v1/admin/usage", ["owner", "admin"], 200],
  ["PUT", "/v1/admin/provider-overrides/provider_1", ["owner", "admin"], 200, { state: null }],
  ["GET", "/v1/alerts", ROLES, 200],
  ["POST", `/v1/alerts/${newId("alr")}/acknowledge`, ["owner", "admin", "analyst"], 404],
  ["GET", "/v1/analytics/summary", ROLES, 200],
];

describe("AUTH-14: dashboard endpoints and their roles", () => {
  for (const [method, path, roles, status, body] of ROUTES) {
    it(`${method} ${path.replace(/alr_\w+/, ":alertId")}: ${roles.join(", ")}`, async () => {
      for (const role of ROLES) {
        const reply = await (await openDashboard(service, workspaceId, role)).request(method, path, body);
        const expected = roles.includes(role) ? status : 403;
        assert.equal(reply.status, expected, `${role}: ${reply.text}`);
        if (expected === 403) assert.equal(reply.json["message"], "Your role does not allow this");
      }
    });
  }

  it("with an API key the answer requires a dashboard session; without credentials it requires credentials", async () => {
    const key = await createKey(service.pool, workspaceId);
    for (const [method, path, , , body] of ROUTES) {
      const withKey = await send(service, method, path, { key, ...(body === undefined ? {} : { body }) });
      assert.equal(withKey.status, 403, path);
      assert.equal(withKey.json["message"], "A dashboard session is required");
      const without = await send(service, method, path, {
        key: null,
        ...(body === undefined ? {} : { body }),
      });
      assert.equal(without.status, 401, path);
    }
  });

  it("a suspended workspace's sessions get 403 Tenant is not active", async () => {
    const suspended = await createWorkspace(service);
    const owner = await openDashboard(service, suspended);
    await setWorkspaceStatus(service.pool, suspended, "suspended");
    for (const [method, path, , , body] of ROUTES) {
      const { status, json } = await owner.request(method, path, body);
      assert.deepEqual([status, json["message"]], [403, "Tenant is not active"], path);
    }
  });

  it("another method gets 405 with the allowed methods", async () => {
    for (const [path, allow] of [
      ["/v1/admin/workspace", "GET, HEAD, PATCH"],
      ["/v1/admin/merchants", "GET, HEAD, POST"],
      ["/v1/admin/provider-overrides/provider_1", "PUT"],
      ["/v1/alerts", "GET, HEAD"],
    ]) {
      const { status, headers } = await send(service, "DELETE", path ?? "");
      assert.deepEqual([status, headers.get("allow")], [405, allow]);
    }
  });
});
