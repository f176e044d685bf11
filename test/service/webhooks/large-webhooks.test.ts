import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { request, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { after, afterEach, before, describe, it } from "node:test";
import type { SigningKey } from "../../../src/features/webhooks/webhook-secrets.js";
import { providerWebhookRoute } from "../../../src/features/webhooks/routes/provider-webhook.js";
import type { HttpServer } from "../../../src/path/front/server.js";
import { LIMITS } from "../../../src/domain/vocabulary/limits.js";
import { TUNING } from "../../../src/domain/vocabulary/tuning.js";
import { startPublicServer } from "../../support/service/public-server.js";

const SECRET = randomBytes(32);
/** The clock stands still, so a timestamp stays too old or too new however long the webhook takes to arrive. */
const NOW_MS = Date.now();
let tried = 0;
let isHeld = false;
/** The number of large webhooks whose keys are being tried at present, and the maximum so far. */
let underWay = 0;
let underWayMax = 0;

/** As many keys as one route may have. */
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

function* keysWhileHeld(): Generator<SigningKey> {
  underWayMax = Math.max(underWayMax, ++underWay);
  yield* KEYS;
  while (isHeld) yield KEYS[0] as SigningKey;
  underWay--;
}
/** The trial of a large webhook's keys pauses until the test continues it, so that no test has to be fast. */
const HOLDABLE_KEYS = Object.assign([...KEYS], { [Symbol.iterator]: keysWhileHeld });

const LARGE = " ".repeat(LIMITS.largeBodyBytesMax);
const SMALL = LARGE.slice(0, LIMITS.smallBodyBytesMax);

let server: HttpServer;
const events: string[] = [];
before(async () => {
  const webhooks = providerWebhookRoute({
    keysOf(_provider, merchantId) {
      events.push(`${merchantId} begun`);
      return { keys: merchantId === "small" ? KEYS : HOLDABLE_KEYS, hasClosed: false };
    },
    store: () => assert.fail("none is signed"),
    rateWindow: { limitPerMinute: 600, take: () => true },
    onRateLimited: () => assert.fail("none is over the limit"),
    trustProxyHops: 0,
    providers: ["provider_1"],
    nextId: () => assert.fail("none is stored"),
    now: () => NOW_MS,
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

/** Uses `node:http`, because `fetch` sets its own timers and would see a time-out while the clock stands still. */
async function statusOf(
  method: string,
  path: string,
  headers: OutgoingHttpHeaders,
  body = "",
): Promise<number> {
  const sent = request(`http://127.0.0.1:${server.port}${path}`, { method, headers }).end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  await once(response.resume(), "end");
  return response.statusCode ?? 0;
}

async function send(merchantId: string, body: string, timestampMs = NOW_MS): Promise<void> {
  const headers = {
    "content-type": "application/json",
    "content-length": body.length,
    "webhook-id": "msg_1",
    "webhook-timestamp": String(Math.floor(timestampMs / 1000)),
    "webhook-signature": `v1,${randomBytes(32).toString("base64")}`,
  };
  assert.equal(await statusOf("POST", `/v1/provider-webhooks/provider_1/${merchantId}`, headers, body), 401);
  events.push(`${merchantId} answered`);
}

async function ping(): Promise<void> {
  assert.equal(await statusOf("GET", "/ping", {}), 204);
}

async function until(event: string): Promise<void> {
  while (!events.includes(event)) await new Promise(setImmediate);
}

describe("large webhooks without a valid signature", () => {
  afterEach(() => (isHeld = false));

  it("let others through between the keys that one is tried with", async () => {
    isHeld = true;
    const sending = send("between", LARGE);
    await until("between begun");
    await ping();
    assert.equal(underWay, 1);
    isHeld = false;
    await sending;
  });

  it("are read one after the other, and small ones overtake them", async (t) => {
    // A turn of any owner ends after `turnMsMax`. Time stands still until the test moves it.
    t.mock.timers.enable({ apis: ["setTimeout"] });
    isHeld = true;
    underWayMax = 0;
    const large = [send("large_1", LARGE), send("large_2", LARGE)];
    await Promise.race([until("large_1 begun"), until("large_2 begun")]);
    const [first, second] = events.includes("large_1 begun")
      ? ["large_1", "large_2"]
      : ["large_2", "large_1"];
    await send("small", SMALL);
    assert.equal(underWay, 1);
    assert.ok(!events.includes(`${second} begun`));
    isHeld = false;
    await until(`${first} answered`);
    assert.ok(!events.includes(`${second} begun`), "the front thread rests between two turns");
    t.mock.timers.tick(TUNING.turnMsMax);
    await until(`${second} begun`);
    await Promise.all(large);
    // Ends the last webhook's turn, for which the next test would wait.
    t.mock.timers.tick(TUNING.turnMsMax);
    assert.deepEqual(
      events.filter((event) => event.startsWith("large") && event.endsWith("begun")),
      [`${first} begun`, `${second} begun`],
    );
    assert.equal(underWayMax, 1);
  });

  it("are not tried with any key when they are too old or too new", async () => {
    for (const skewMs of [-LIMITS.webhookClockSkewMs - 2000, LIMITS.webhookClockSkewMs + 2000]) {
      tried = 0;
      await send("stale", LARGE, NOW_MS + skewMs);
      assert.equal(tried, 0);
    }
    await send("fresh", LARGE);
    assert.equal(tried, KEYS.length);
  });
});
