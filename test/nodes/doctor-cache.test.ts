import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { freePort } from "../support/machine/free-port.js";
import { NO_VALKEY, startValkey } from "../support/edge/valkey.js";
import { runDoctor } from "../support/service/doctor.js";

describe("DOC-2: the doctor at the shared cache", { skip: NO_VALKEY }, () => {
  it("DOC-2: finds one that answers, and one that evicts", async () => {
    const { url, client } = await startValkey();
    const of = async (): Promise<string[]> =>
      (await runDoctor({ CACHE_URL: url, CACHE_TIMEOUT_MS: "1000" })).of("cache");
    assert.match((await of()).join(), /^ok: (Redis|Valkey) \d+\.\d+\.\d+ answers in /);
    await client.config("SET", "maxmemory", "100mb");
    await client.config("SET", "maxmemory-policy", "allkeys-lru");
    assert.match((await of()).join(), /^note: allkeys-lru evicts/);
  });

  it("DUR-27: finds settings that lose the mirrors of journals", async () => {
    const { url, client } = await startValkey();
    const of = async (replicas: string): Promise<string> => {
      const env = { CACHE_URL: url, CACHE_TIMEOUT_MS: "1000", JOURNAL_MIRROR: "1" };
      return (await runDoctor({ ...env, JOURNAL_MIRROR_REPLICAS: replicas })).of("cache").join("\n");
    };
    await client.config("SET", "maxmemory", "100mb");
    await client.config("SET", "maxmemory-policy", "allkeys-lru");
    const found = await of("1");
    assert.match(found, /^wrong: allkeys-lru evicts the mirrors/m);
    assert.match(found, /^note: appendonly is off/m);
    assert.match(found, /^wrong: JOURNAL_MIRROR_REPLICAS is 1, and the cache has 0/m);
    await client.config("SET", "maxmemory-policy", "volatile-lru");
    await client.config("SET", "appendonly", "yes");
    assert.doesNotMatch(await of("0"), /mirror|appendonly|REPLICAS/i);
  });

  it("DOC-2: finds a replica, a server that hangs, and nobody", async () => {
    const valkey = await startValkey();
    await valkey.client.call("REPLICAOF", "127.0.0.1", String(await freePort()));
    const env = { CACHE_URL: valkey.url };
    assert.match((await runDoctor(env)).of("cache").join(), /^wrong: CACHE_URL leads to a replica/);
    valkey.freeze();
    const frozen = await runDoctor(env);
    valkey.thaw();
    assert.match(frozen.of("cache").join(), /^wrong: .*timed? ?out/i);
    await valkey.kill();
    const away = await runDoctor(env);
    assert.match(away.of("cache").join(), /^wrong: .*ECONNREFUSED/);
    assert.equal(away.exitCode, 1);
  });
});
