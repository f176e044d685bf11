import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { createCacheClient } from "../../src/platform/cache/cache-client.js";
import { createSharedWindow, TAKE } from "../../src/path/access/shared-window.js";
import { login, newEmail } from "../support/people/accounts.js";
import { closeLater } from "../support/closing.js";
import { startNodes } from "../support/service/nodes.js";
import { inOneMinute } from "../support/waiting/one-minute.js";
import { decisionBody, eventually, send, type RunningService } from "../support/service/service.js";
import { createKey } from "../support/people/tenants.js";
import { NO_VALKEY, startValkey, type TestValkey } from "../support/edge/valkey.js";

const skip = NO_VALKEY;
const LIMIT = 40;
const AUTH_LIMIT = 7;
const WEBHOOK_LIMIT = 9;
const MINUTE_MS = 60_000;

let valkey: TestValkey;
let nodes: RunningService[];
before(async () => {
  if (skip !== false) return;
  valkey = await startValkey();
  nodes = await startNodes(3, {
    CACHE_URL: valkey.url,
    CACHE_TIMEOUT_MS: "1000",
    RATE_LIMIT_PER_MINUTE: String(LIMIT),
    AUTH_RATE_LIMIT_PER_MINUTE: String(AUTH_LIMIT),
    WEBHOOK_RATE_LIMIT_PER_MINUTE: String(WEBHOOK_LIMIT),
  });
});

const nodeAt = (index: number): RunningService => nodes[index % nodes.length] as RunningService;
const statusesOf = async (asked: Promise<{ status: number }>[]): Promise<number[]> =>
  (await Promise.all(asked)).map(({ status }) => status);
const limitedOf = (statuses: readonly number[]): number => statuses.filter((status) => status === 429).length;

describe("SET-5: CACHE_URL shares rate limits between nodes", { skip }, () => {
  it("200 concurrent requests over three nodes: exactly the limit passes, for any endpoints", () =>
    inOneMinute(async () => {
      const key = await createKey(nodeAt(0).pool, nodeAt(0).workspaceId);
      const statuses = await statusesOf(
        Array.from({ length: 200 }, (_, index) =>
          index % 2 === 0
            ? send(nodeAt(index), "POST", "/v1/decision", { body: decisionBody(), key })
            : send(nodeAt(index), "GET", "/v1/provider-health", { key }),
        ),
      );
      assert.equal(limitedOf(statuses), 200 - LIMIT);
      assert.deepEqual(new Set(statuses), new Set([200, 429]));
      const { status, text } = await send(nodeAt(0), "GET", "/v1/provider-health", { key });
      assert.deepEqual([status, text], [429, `{"error":"rate_limited","limit_per_minute":${LIMIT}}`]);
      const other = await createKey(nodeAt(0).pool, nodeAt(0).workspaceId);
      assert.equal((await send(nodeAt(0), "GET", "/v1/provider-health", { key: other })).status, 200);
    }));

  it("login attempts of one address count together on all nodes", () =>
    inOneMinute(async () => {
      const attempts = Array.from({ length: 4 * AUTH_LIMIT }, (_, index) => login(nodeAt(index), newEmail()));
      const statuses = await statusesOf(attempts);
      assert.equal(limitedOf(statuses), 3 * AUTH_LIMIT);
      // A busy machine answers 503 when it cannot check a password in time. The attempt still counts.
      assert.ok(statuses.every((status) => [401, 429, 503].includes(status)));
    }));

  it("provider webhooks of one address and route count together on all nodes", () =>
    inOneMinute(async () => {
      const path = "/v1/provider-webhooks/provider_1/demo_merchant";
      const asked = Array.from({ length: 3 * WEBHOOK_LIMIT }, (_, index) =>
        send(nodeAt(index), "POST", path, { body: {}, key: null }),
      );
      const statuses = await statusesOf(asked);
      assert.equal(limitedOf(statuses), 2 * WEBHOOK_LIMIT);
      assert.deepEqual(new Set(statuses), new Set([401, 429]));
    }));

  it("a count expires with its minute, and nothing stays in the cache", async () => {
    const places = await valkey.client.keys("pi:rate:*");
    for (const place of places) {
      const leftMs = await valkey.client.pttl(place);
      assert.ok(leftMs !== -1 && leftMs <= MINUTE_MS, `${place}: ${leftMs} ms`);
    }
  });
});

describe("RATE-2, SET-5: rate limit, the window that nodes share", { skip }, () => {
  it("starts again with the cache's minute, separately for each principal", () =>
    inOneMinute(async () => {
      const cache = createCacheClient({
        url: valkey.url,
        ca: null,
        name: "test",
        scripts: [TAKE],
        timeoutMs: 1000,
        onRoundTrip: () => undefined,
      });
      closeLater(async () => cache.close());
      await cache.started;
      await eventually(async () => assert.ok(cache.isUp()));
      const window = createSharedWindow({ cache, name: "test", limitPerMinute: 3 });
      const take = (principal: string, times: number) =>
        Promise.all(Array.from({ length: times }, async () => window.take(principal, 0)));
      assert.deepEqual(await take("key_a", 5), [true, true, true, false, false]);
      assert.deepEqual(await take("key_a", 1), [false]);
      assert.deepEqual(await take("key_b", 1), [true]);
      // Reads the time and the end of the window at the same moment of the cache's clock.
      const asked = await valkey.client.multi().time().pttl("pi:rate:test:{key_a}").exec();
      const [[, time], [, leftMs]] = asked as [[null, [string, string]], [null, number]];
      const endsAtMs = Number(time[0]) * 1000 + Number(time[1]) / 1000 + leftMs;
      assert.ok(Math.abs(endsAtMs - Math.round(endsAtMs / MINUTE_MS) * MINUTE_MS) < 10, `${endsAtMs}`);
      // Ends the minute early, so that the test need not wait for it.
      await valkey.client.pexpire("pi:rate:test:{key_a}", 1);
      await eventually(async () => assert.equal(await valkey.client.pttl("pi:rate:test:{key_a}"), -2));
      assert.deepEqual(await take("key_a", 4), [true, true, true, false]);
    }));

  it("is off at 0", () => {
    const cache = { isUp: () => assert.fail("not asked") } as never;
    const window = createSharedWindow({ cache, name: "off", limitPerMinute: 0 });
    assert.equal(window.take("key_a", 0), true);
  });
});
