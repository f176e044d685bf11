import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, it } from "node:test";
import type { SigningKey } from "../../../src/features/webhooks/webhook-secrets.js";
import { providerWebhookRoute } from "../../../src/features/webhooks/routes/provider-webhook.js";
import type { HttpServer } from "../../../src/path/front/server.js";
import { LIMITS } from "../../../src/domain/vocabulary/limits.js";
import { startPublicServer } from "../../support/service/public-server.js";

const SECRET = randomBytes(32);
let tried = 0;
/** As many as one route may have. */
const KEYS = Array.from(
  { length: LIMITS.webhookRouteWorkspacesMax * (1 + LIMITS.webhookOldSecretsMax) },
  (_, i): SigningKey => ({
    workspaceId: `ws_${i}`,
    get key() {
      tried++;
      return SECRET;
    },
    workspaceStatus: "active",
  }),
);
const LARGE = " ".repeat(LIMITS.largeBodyBytesMax);
const SMALL = LARGE.slice(0, LIMITS.smallBodyBytesMax);

let server: HttpServer;
const events: string[] = [];
before(async () => {
  const webhooks = providerWebhookRoute({
    keysOf(_provider, merchantId) {
      events.push(`${merchantId} begun`);
      return { keys: KEYS, hasClosed: false };
    },
    store: () => assert.fail("none is signed"),
    rateWindow: { limitPerMinute: 600, take: () => true },
    onRateLimited: () => assert.fail("none is over the limit"),
    trustProxyHops: 0,
    providers: ["provider_1"],
    nextId: () => assert.fail("none is stored"),
    now: Date.now,
  });
  const ping = {
    method: "GET" as const,
    path: "/ping",
    access: "public" as const,
    handle: (exchange: { sendNoContent(): void }) => exchange.sendNoContent(),
  };
  server = await startPublicServer([webhooks, ping]);
});
after(() => server.stop(0));

async function send(merchantId: string, body: string, timestampMs = Date.now()): Promise<void> {
  const response = await fetch(
    `http://127.0.0.1:${server.port}/v1/provider-webhooks/provider_1/${merchantId}`,
    {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "webhook-id": "msg_1",
        "webhook-timestamp": String(Math.floor(timestampMs / 1000)),
        "webhook-signature": `v1,${randomBytes(32).toString("base64")}`,
      },
      body,
    },
  );
  await response.arrayBuffer();
  assert.equal(response.status, 401);
  events.push(`${merchantId} answered`);
}

async function ping(): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${server.port}/ping`);
  assert.equal(response.status, 204);
}

async function until(event: string): Promise<void> {
  while (!events.includes(event)) await new Promise(setImmediate);
}

describe("large webhooks, signed by nobody", () => {
  it("let others through between the keys that one is tried with", async () => {
    // Its connection is there already.
    await ping();
    const sending = send("between", LARGE);
    await until("between begun");
    await ping();
    assert.ok(!events.includes("between answered"));
    await sending;
  });

  it("are read one after the other, and small ones pass by", async () => {
    const large = [send("large_1", LARGE), send("large_2", LARGE)];
    await Promise.race([until("large_1 begun"), until("large_2 begun")]);
    const begunMs = performance.now();
    const [first, second] = events.includes("large_1 begun")
      ? ["large_1", "large_2"]
      : ["large_2", "large_1"];
    await send("small", SMALL);
    const passedBy = !events.includes(`${second} begun`);
    const isOverdue = performance.now() - begunMs >= LIMITS.turnMsMax;
    await Promise.all(large);
    // A turn is over after 250 ms, whoever still has it.
    assert.ok(passedBy || isOverdue);
    assert.deepEqual(
      events.filter((event) => event.startsWith("large") && event.endsWith("begun")),
      [`${first} begun`, `${second} begun`],
    );
  });

  it("are tried with no key when they are too old or too new", async () => {
    for (const skewMs of [-LIMITS.webhookClockSkewMs - 2000, LIMITS.webhookClockSkewMs + 2000]) {
      tried = 0;
      await send("stale", LARGE, Date.now() + skewMs);
      assert.equal(tried, 0);
    }
    await send("fresh", LARGE);
    assert.equal(tried, KEYS.length);
  });
});
