import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { createDatabaseGate, type DatabaseGate } from "../../support/postgres/database-gate.js";
import { inTime } from "../../support/waiting/host-noise.js";
import { createTestDatabase } from "../../support/postgres/postgres.js";
import {
  AS_DELIVERED,
  decisionBody,
  eventually,
  send,
  startTestService,
  untilAnswered,
  type RunningService,
} from "../../support/service/service.js";

/** POL-19: policies are read and written only in PostgreSQL. */
const ANSWERED_WITHIN_MS = 2000;

let gate: DatabaseGate;
let service: RunningService;
let draftId: string;
before(async () => {
  gate = await createDatabaseGate((await createTestDatabase()).url);
  service = await startTestService({ ...AS_DELIVERED, DATABASE_URL: gate.url, RATE_LIMIT_PER_MINUTE: "0" });
  // With the delivered limits a host that is slow enough answers 503 here.
  await untilAnswered(() => create(true));
  const draft = await untilAnswered(() => create(false));
  assert.equal(draft.status, 200, draft.text);
  draftId = (draft.json["policy"] as { policy_id: string }).policy_id;
});

const create = (publish: boolean) =>
  send(service, "POST", "/v1/policies", {
    body: {
      merchant_id: "demo_merchant",
      name: "Main",
      rules: [{ name: "hold", when: {}, then: { type: "hold" } }],
      publish,
    },
  });
const requests = {
  create: () => create(true),
  publish: () => send(service, "POST", `/v1/policies/${draftId}/publish`),
  list: () => send(service, "GET", "/v1/policies/demo_merchant"),
};

const OUTAGES: Record<string, () => Promise<void>> = {
  unreachable: () => gate.shut(),
  frozen: () => gate.stall(),
};

describe("POL-19: policies while PostgreSQL is away", () => {
  for (const [name, begin] of Object.entries(OUTAGES)) {
    it(`${name}: 503 in time, decisions continue by the published policy, and afterwards everything works`, async () => {
      assert.equal((await untilAnswered(requests.list)).status, 200);
      await begin();
      try {
        // Each request is tried at once, before the node can know of the outage, and again when it knows.
        for (const known of [false, true]) {
          if (known) {
            await eventually(async () =>
              assert.equal((await send(service, "GET", "/ready", { key: null })).status, 503),
            );
          }
          for (const [what, ask] of Object.entries(requests)) {
            const { status, json } = await inTime(ANSWERED_WITHIN_MS, what, ask, service.process.pid);
            assert.equal(status, 503, what);
            assert.equal(json["message"], "Policies cannot be read or written right now");
          }
        }
        const { json } = await send(service, "POST", "/v1/decision", { body: decisionBody() });
        assert.equal(json["action"], "hold");
      } finally {
        await gate.shut();
        await gate.open();
      }
      await eventually(async () => assert.equal((await requests.list()).status, 200));
      const before = ((await requests.list()).json["policies"] as unknown[]).length;
      assert.equal((await create(false)).status, 200);
      const after = (await requests.list()).json["policies"] as { status: string }[];
      assert.equal(after.length, before + 1);
      assert.equal(after.filter(({ status }) => status === "published").length, 1);
    });
  }
});
