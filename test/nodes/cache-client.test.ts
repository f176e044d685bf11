import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { cacheScript, createCacheClient, type CacheClient } from "../../src/platform/cache/cache-client.js";
import type { CacheResult, CacheRoundTrip } from "../../src/platform/cache/round-trip.js";
import { closeLater } from "../support/closing.js";
import { eventually } from "../support/service/service.js";
import { NO_VALKEY, startValkey, type TestValkey } from "../support/edge/valkey.js";

const skip = NO_VALKEY;
const ECHO = cacheScript("return ARGV[1]");
const REFUSE = cacheScript("return redis.error_reply('OOM nothing is left')");
const OUTAGE_CALLS = 100;

let valkey: TestValkey;
before(async () => {
  if (skip === false) valkey = await startValkey();
});

interface Observed {
  cache: CacheClient;
  /** The results since the last call. */
  taken(): CacheResult[];
  echo(text: string): Promise<readonly unknown[] | null>;
}

async function connect(): Promise<Observed> {
  let trips: CacheRoundTrip[] = [];
  const cache = createCacheClient({
    url: valkey.url,
    ca: null,
    name: "test",
    scripts: [ECHO, REFUSE],
    timeoutMs: 1000,
    onRoundTrip: (trip) => trips.push(trip),
  });
  closeLater(async () => cache.close());
  await cache.started;
  await eventually(async () => assert.ok(cache.isUp()));
  return {
    cache,
    echo: (text) => cache.call("claim", [{ script: ECHO, key: "place", args: [text] }]),
    taken() {
      const results = trips.map(({ result }) => result);
      trips = [];
      return results;
    },
  };
}

async function untilAnswered({ echo, taken }: Observed): Promise<void> {
  await eventually(async () => assert.deepEqual(await echo("back"), ["back"]), 20_000);
  taken();
}

describe("the breaker of the shared cache", { skip }, () => {
  it("many calls share one round trip and are answered in order", async () => {
    const observed = await connect();
    const texts = Array.from({ length: 50 }, (_, index) => `text ${index} ☂`);
    const calls = texts.map((text) => ({ script: ECHO, key: `place-${text}`, args: [text] }));
    assert.deepEqual(await observed.cache.call("claim", calls), texts);
    assert.deepEqual(observed.taken(), ["ok"]);
  });

  it("a frozen cache costs one time-out; after that no call waits until the cache answers again", async () => {
    const observed = await connect();
    valkey.freeze();
    assert.equal(await observed.echo("lost"), null);
    assert.deepEqual(observed.taken(), ["timeout"]);
    for (let i = 0; i < OUTAGE_CALLS; i++) assert.equal(await observed.echo("lost"), null);
    assert.deepEqual(
      observed.taken(),
      Array.from({ length: OUTAGE_CALLS }, () => "skipped"),
    );
    assert.equal(observed.cache.isUp(), false);
    await eventually(async () => assert.equal(observed.cache.isReachable(), false));
    valkey.thaw();
    await untilAnswered(observed);
    assert.ok(observed.cache.isReachable());
  });

  it("a cache frozen until its connection was given up comes back too", async () => {
    const observed = await connect();
    valkey.freeze();
    await sleep(4500);
    valkey.thaw();
    await untilAnswered(observed);
  });

  it("a killed cache fails at once, and is used again after a restart, although it has lost the scripts", async () => {
    const observed = await connect();
    await valkey.kill();
    await eventually(async () => assert.equal(observed.cache.isUp(), false));
    observed.taken();
    assert.equal(await observed.echo("lost"), null);
    assert.equal(await observed.cache.publish("channel", "lost"), false);
    assert.deepEqual(observed.taken(), ["skipped", "skipped"]);
    await valkey.start();
    await untilAnswered(observed);
  });

  it("a refused call gives null, and the next one may pass; flushed scripts are loaded again", async () => {
    const observed = await connect();
    const refused = await observed.cache.call("store", [
      { script: ECHO, key: "a", args: [1] },
      { script: REFUSE, key: "b", args: [] },
    ]);
    assert.equal(refused, null);
    assert.deepEqual(observed.taken(), ["error"]);
    await untilAnswered(observed);
    await valkey.client.script("FLUSH");
    assert.equal(await observed.echo("lost"), null);
    await untilAnswered(observed);
  });

  it("a cache that is absent at the start delays nothing, and is used once it appears", async () => {
    await valkey.kill();
    let skipped = 0;
    const cache = createCacheClient({
      url: valkey.url,
      ca: null,
      name: "test",
      scripts: [ECHO],
      timeoutMs: 300,
      onRoundTrip: () => skipped++,
    });
    closeLater(async () => cache.close());
    await cache.started;
    assert.equal(cache.isReachable(), false);
    assert.equal(await cache.call("claim", [{ script: ECHO, key: "a", args: [1] }]), null);
    assert.equal(skipped, 1);
    await valkey.start();
    await eventually(async () => assert.ok(cache.isUp()), 20_000);
  });
});
