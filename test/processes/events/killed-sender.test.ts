import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { before, describe, it } from "node:test";
import { Webhook } from "standardwebhooks";
import { startScriptedServer } from "../../support/http/scripted-server.js";
import { openDashboard, type Dashboard } from "../../support/people/dashboard.js";
import { createWorkspace } from "../../support/people/tenants.js";
import { startTestService, type RunningService } from "../../support/service/service.js";
import { WEBHOOK_SECRET_KEY } from "../../support/service/webhooks.js";
import { untilPasses } from "../../support/waiting/eventually.js";

let service: RunningService;
let owner: Dashboard;
before(async () => {
  service = await startTestService({ SECRET_KEY: WEBHOOK_SECRET_KEY, EVENTS_ALLOW_PRIVATE: "1" });
  owner = await openDashboard(service, await createWorkspace(service));
});

describe("EVT-7: kill -9 of the node that sends", () => {
  for (const moment of ["before the receiver answers", "after it answered, before the node has noted it"]) {
    it(`${moment}: nothing is lost, and a repetition has the same id`, async () => {
      const open: Socket[] = [];
      const receiver = await startScriptedServer((socket, _request, index) => {
        if (index > 0) return void socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
        open.push(socket);
        if (moment.startsWith("before")) return;
        // The answer lacks its last byte, so the node cannot note it yet. This simulates a node that still waits for
        // PostgreSQL.
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n");
      });
      const { json, text } = await owner.request("POST", "/v1/event-endpoints", {
        url: `${receiver.url}/events`,
        types: ["key.created", "key.revoked"],
      });
      const { id } = (json["event_endpoint"] ?? assert.fail(text)) as { id: string };
      const made = await owner.request("POST", "/v1/api-keys", {
        name: "Checkout",
        mode: "test",
        scopes: ["decision:write"],
      });
      const { id: keyId } = made.json["api_key"] as { id: string };
      await owner.request("DELETE", `/v1/api-keys/${keyId}`);
      await untilPasses(async () => assert.equal(receiver.requests.length, 1));
      await service.killAndRestart();
      await untilPasses(async () => {
        const { json: listed } = await owner.get(`/v1/event-endpoints/${id}/deliveries`);
        const states = (listed["deliveries"] as { state: string }[]).map(({ state }) => state);
        assert.deepEqual(states, ["delivered", "delivered"]);
      });
      const webhook = new Webhook(String(json["secret"]));
      const arrived = receiver.requests.map(({ body, headers }) => ({
        id: headers["webhook-id"],
        ...(webhook.verify(body, { ...headers }) as { type: string }),
      }));
      assert.deepEqual(
        arrived.map(({ type }) => type),
        ["key.created", "key.created", "key.revoked"],
      );
      assert.equal(arrived[0]?.id, arrived[1]?.id);
      for (const socket of open) socket.destroy();
    });
  }
});
