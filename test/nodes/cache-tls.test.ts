import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { Redis } from "ioredis";
import { VALKEY_STARTS } from "../support/machine/deploy-files.js";
import { startNodes } from "../support/service/nodes.js";
import { createTestDatabase, temporaryDir } from "../support/postgres/postgres.js";
import { createServiceProcess } from "../support/service/service-process.js";
import {
  decisionBody,
  eventually,
  send,
  type Reply,
  type RunningService,
} from "../support/service/service.js";
import { startSecureValkey, type SecureValkey } from "../support/edge/valkey-tls.js";
import { NO_VALKEY } from "../support/edge/valkey.js";

const skip = NO_VALKEY;
const ready = (node: RunningService): Promise<Reply> => send(node, "GET", "/ready", { key: null });
const decide = (node: RunningService, name: string): Promise<Reply> =>
  send(node, "POST", "/v1/decision", { body: decisionBody(), headers: { "idempotency-key": name } });

/** The answer to a PING at `url`: PONG, or the text of the error. */
async function pingOf(url: string, ca: string | null): Promise<string> {
  const tls = ca === null ? {} : { tls: { ca } };
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: null, connectTimeout: 2000, ...tls });
  let reason = "";
  redis.on("error", (error: Error) => (reason = error.message));
  try {
    await redis.connect();
    return await redis.ping();
  } catch (error) {
    return reason || (error as Error).message;
  } finally {
    redis.disconnect();
  }
}

for (const start of VALKEY_STARTS) {
  describe(`supply chain: the Valkey of ${start.file}, as it is started there`, { skip }, () => {
    let valkey: SecureValkey;
    before(async () => {
      valkey = await startSecureValkey(start);
    });

    it("answers over TLS to clients with the password, and to no others", async () => {
      const { url, ca, plainUrl } = valkey;
      assert.equal(await pingOf(url, ca), "PONG");
      assert.match(await pingOf(url.replace(/:[^:@]+@/, ":wrong@"), ca), /WRONGPASS/);
      assert.match(await pingOf(url.replace(/:[^:@]+@/, ""), ca), /NOAUTH/);
      assert.notEqual(await pingOf(plainUrl, null), "PONG");
    });

    it("is healthy by its own probe, which fails without the password", async () => {
      assert.equal(await valkey.probe(valkey.password), 0);
      assert.notEqual(await valkey.probe("wrong"), 0);
    });

    it("does not show its password in the list of processes", async () => {
      const words = await valkey.commandLine();
      assert.match(words, /-server/);
      assert.ok(!words.includes(valkey.password));
    });
  });
}

describe("CACHE_URL with TLS and a password", { skip }, () => {
  const [start] = VALKEY_STARTS;
  let valkey: SecureValkey;
  before(async () => {
    assert.ok(start !== undefined);
    valkey = await startSecureValkey(start);
  });

  it("SET-6: rediss:// with CACHE_CA_FILE: nodes are ready, and share idempotency and announcements", async () => {
    const [one, other] = (await startNodes(2, {
      CACHE_URL: valkey.url,
      CACHE_CA_FILE: valkey.caFile,
      CACHE_TIMEOUT_MS: "1000",
    })) as [RunningService, RunningService];
    await eventually(async () => {
      const { status, json } = await ready(one);
      assert.deepEqual([status, json["checks"]], [200, { postgres: "ok", valkey: "ok" }]);
    }, 20_000);
    let turn = 0;
    await eventually(async () => {
      const name = `over-tls-${turn++}`;
      const first = await decide(one, name);
      const second = await decide(other, name);
      assert.equal(second.headers.get("idempotency-replayed"), "true");
      assert.equal(second.json["decision_id"], first.json["decision_id"]);
    }, 20_000);
    const channels = await valkey.client.pubsub("NUMSUB", "payinference:catalog");
    assert.deepEqual(channels, ["payinference:catalog", 2]);
    for (const node of [one, other]) assert.ok(!node.log().includes(valkey.password));
  });

  it("refuses a server whose certificate CACHE_CA_FILE did not sign, and decides without it", async () => {
    assert.ok(start !== undefined);
    const impostor = await startSecureValkey(start);
    const { url: database } = await createTestDatabase();
    const node = await createServiceProcess(await temporaryDir(), {
      DATABASE_URL: database,
      CACHE_URL: impostor.url,
      CACHE_CA_FILE: valkey.caFile,
    });
    await node.untilStatus("/health", 200);
    await eventually(async () => assert.ok((await node.key()) !== ""));
    const headers = { "x-api-key": await node.key(), "content-type": "application/json" };
    const body = JSON.stringify(decisionBody());
    await eventually(async () => {
      const decided = await fetch(`${node.url}/v1/decision`, { method: "POST", headers, body });
      assert.equal(decided.status, 200, await decided.text());
    });
    const answer = await fetch(`${node.url}/ready`);
    assert.equal(answer.status, 503);
    assert.equal(
      ((await answer.json()) as { checks: Record<string, string> }).checks["valkey"],
      "unreachable",
    );
    // The impostor listened all the time, but got no request.
    assert.equal(await pingOf(impostor.url, impostor.ca), "PONG");
    assert.equal((await impostor.client.pubsub("NUMSUB", "payinference:catalog"))[1], 0);
  });

  it("a CACHE_CA_FILE that cannot be read or holds no certificate stops the start with one line", async () => {
    const dir = await temporaryDir();
    await writeFile(join(dir, "empty.crt"), "not a certificate\n");
    for (const file of ["missing.crt", "empty.crt"]) {
      const node = await createServiceProcess(dir, { CACHE_URL: valkey.url, CACHE_CA_FILE: join(dir, file) });
      assert.equal(await node.end(), 1);
      assert.match(node.log(), /^payinference: CACHE_CA_FILE: [^\n]+\n$/);
    }
  });
});
