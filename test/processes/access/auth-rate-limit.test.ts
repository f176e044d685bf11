import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { inOneMinute } from "../../support/waiting/one-minute.js";
import {
  decisionBody,
  eventually,
  send,
  sendRead,
  startTestService,
  type Reply,
  type RunningService,
} from "../../support/service/service.js";
import { createKey } from "../../support/people/tenants.js";

const LIMIT = 5;

let limited: RunningService;
let unlimited: RunningService;
before(async () => {
  [limited, unlimited] = await Promise.all([
    startTestService({ RATE_LIMIT_PER_MINUTE: String(LIMIT) }),
    startTestService({ RATE_LIMIT_PER_MINUTE: "0" }),
  ]);
  // Counted requests are not repeated, so the reader threads must already be running.
  await eventually(async () => assert.equal((await detail(await newKey())).status, 404));
  await sendRead(unlimited, "GET", "/v1/decisions/x");
});

const newKey = () => createKey(limited.pool, limited.workspaceId);
const decide = (key: string, body: unknown = decisionBody(), headers: Record<string, string> = {}) =>
  send(limited, "POST", "/v1/decision", { body, key, headers });
const health = (key: string) => send(limited, "GET", "/v1/provider-health", { key });
const detail = (key: string) => send(limited, "GET", "/v1/decisions/dec_01jd4wqk2m0000000000000000", { key });

function assertLimited({ status, text, headers }: Reply): void {
  assert.equal(status, 429);
  assert.equal(text, JSON.stringify({ error: "rate_limited", limit_per_minute: LIMIT }));
  assert.equal(headers.get("retry-after"), null);
  assert.equal(headers.get("content-type"), "application/json; charset=utf-8");
  assert.equal(headers.get("cache-control"), "no-store");
  assert.notEqual(headers.get("x-request-id"), null);
}

describe("Rate limit", () => {
  it("ERR-4, RATE-1: lets the limit through and answers the next with 429, exactly", () =>
    inOneMinute(async () => {
      const key = await newKey();
      for (let i = 0; i < LIMIT; i++) {
        const { status, text } = await decide(key);
        assert.equal(status, 200, text + limited.log());
      }
      for (let i = 0; i < 3; i++) assertLimited(await decide(key));
    }));

  it("counts concurrent requests", () =>
    inOneMinute(async () => {
      const key = await newKey();
      const replies = await Promise.all(Array.from({ length: LIMIT * 4 }, () => decide(key)));
      assert.equal(replies.filter(({ status }) => status === 200).length, LIMIT);
      for (const reply of replies.filter(({ status }) => status !== 200)) assertLimited(reply);
    }));

  it("RATE-1: shares the window over all endpoints", () =>
    inOneMinute(async () => {
      const key = await newKey();
      const statuses = [];
      for (const ask of [decide, health, detail, health, decide]) statuses.push((await ask(key)).status);
      assert.deepEqual(statuses, [200, 200, 404, 200, 200]);
      for (const ask of [decide, health, detail]) assertLimited(await ask(key));
    }));

  it("RATE-2: counts each key separately", () =>
    inOneMinute(async () => {
      const [used, fresh] = await Promise.all([newKey(), newKey()]);
      for (let i = 0; i < LIMIT; i++) await health(used);
      assertLimited(await health(used));
      assert.equal((await health(fresh)).status, 200);
    }));

  it("counts requests that fail afterwards: 400, 404, 415", () =>
    inOneMinute(async () => {
      const key = await newKey();
      const statuses = [
        (await decide(key, "{")).status,
        (await decide(key, {})).status,
        (await detail(key)).status,
        (await decide(key, decisionBody(), { "content-type": "text/plain" })).status,
        (await decide(key, decisionBody({ merchant_id: "nobody" }))).status,
      ];
      assert.deepEqual(statuses, [400, 400, 404, 415, 403]);
      assertLimited(await decide(key));
    }));

  it("HTTP-4: is checked before the body: 400, 413 and 415 become 429", () =>
    inOneMinute(async () => {
      const key = await newKey();
      for (let i = 0; i < LIMIT; i++) await health(key);
      assertLimited(await decide(key, "{"));
      assertLimited(await decide(key, "x".repeat(20_000)));
      assertLimited(await decide(key, decisionBody(), { "content-type": "text/plain" }));
      assertLimited(await decide(key, decisionBody({ merchant_id: "nobody" })));
    }));

  it("HTTP-3: is checked after scope and credentials, and does not count their refusals", () =>
    inOneMinute(async () => {
      const key = await createKey(limited.pool, limited.workspaceId, { scopes: ["health:read"] });
      for (let i = 0; i < LIMIT * 2; i++) {
        assert.equal((await decide(key)).status, 403);
        assert.equal((await decide(`${key.slice(0, -1)}x`)).status, 401);
      }
      for (let i = 0; i < LIMIT; i++) assert.equal((await health(key)).status, 200);
      assertLimited(await health(key));
      assert.equal((await decide(key)).status, 403);
    }));

  it("leaves public endpoints, unknown routes and wrong methods alone", () =>
    inOneMinute(async () => {
      const key = await newKey();
      for (let i = 0; i < LIMIT; i++) await health(key);
      assertLimited(await health(key));
      for (const [method, path, status] of [
        ["GET", "/health", 200],
        ["GET", "/ready", 200],
        ["GET", "/v1/nothing", 404],
        ["PUT", "/v1/decision", 405],
      ] as const) {
        assert.equal((await send(limited, method, path, { key })).status, status);
      }
    }));

  it("RATE-5: is off at 0", () =>
    inOneMinute(async () => {
      const { key } = unlimited;
      // Ten rounds, because a larger number of connections at once could overflow the queue of connections not yet
      // accepted.
      for (let round = 0; round < 10; round++) {
        const replies = await Promise.all(
          Array.from({ length: 250 }, () => send(unlimited, "GET", "/v1/decisions/x", { key })),
        );
        assert.ok(replies.every(({ status }) => status === 404));
      }
    }));
});
