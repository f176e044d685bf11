import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { replyKey } from "../../../src/path/idempotency/reply-store.js";
import { assertNothingLost } from "../../support/load/acknowledged.js";
import { startDecisionLoad } from "../../support/load/decision-load.js";
import { readMetricSeries } from "../../support/machine/metric-series.js";
import { startNodes } from "../../support/service/nodes.js";
import { mountSmallDisk, NO_MOUNTS } from "../../support/machine/mounts.js";
import {
  decisionBody,
  eventually,
  send,
  startTestService,
  type Reply,
  type RunningService,
} from "../../support/service/service.js";
import { createKey } from "../../support/people/tenants.js";
import { NO_VALKEY, startValkey, type TestValkey } from "../../support/edge/valkey.js";
import { DISK_FAULTS, SMALL_DISK_BYTES } from "../disk/disk-scenario.js";

const skip = NO_VALKEY;
const LIMIT = 5;

let valkey: TestValkey;
let service: RunningService;
let other: RunningService;
before(async () => {
  if (skip !== false) return;
  valkey = await startValkey();
  const nodes = await startNodes(2, {
    CACHE_URL: valkey.url,
    // Tests share the machine. With the default time limit, a slow answer of the cache would begin another outage.
    CACHE_TIMEOUT_MS: "1000",
    RATE_LIMIT_PER_MINUTE: String(LIMIT),
  });
  [service, other] = nodes as [RunningService, RunningService];
});

const ready = (): Promise<Reply> => send(service, "GET", "/ready", { key: null });
const untilReady = (status: 200 | 503): Promise<void> =>
  eventually(async () => assert.equal((await ready()).status, status), 20_000);
const newKey = (): Promise<string> => createKey(service.pool, service.workspaceId);

function decide(node: RunningService, key: string, idempotencyKey?: string): Promise<Reply> {
  const headers = idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey };
  return send(node, "POST", "/v1/decision", { body: decisionBody(), key, headers });
}

let shares = 0;
/** Resolves once the workers of both nodes use the cache again. Each worker has its own connection. */
async function untilShared(): Promise<void> {
  await eventually(async () => {
    const name = `share-${shares++}`;
    await decide(service, await newKey(), name);
    assert.ok(isReplay(await decide(other, await newKey(), name)));
  }, 20_000);
}

const isReplay = ({ headers }: Reply): boolean => headers.get("idempotency-replayed") === "true";

async function metric(name: string, labels = ""): Promise<number> {
  const text = await (await fetch(service.metricsUrl)).text();
  const line = text.split("\n").find((candidate) => candidate.startsWith(`${name}${labels} `));
  return Number(line?.split(" ")[1]);
}

/** Killed: connections break. Frozen: connections stay, but get no answer. */
const OUTAGES = [
  { outage: "killed", begin: () => valkey.kill(), end: () => valkey.start() },
  {
    outage: "frozen",
    begin: () => Promise.resolve(valkey.freeze()),
    end: () => Promise.resolve(valkey.thaw()),
  },
];

describe(
  "Rate limiter failure, and idempotency is best-effort: the cache store is unreachable",
  { skip },
  () => {
    for (const { outage, begin, end } of OUTAGES) {
      describe(`the cache is ${outage}`, () => {
        it("OPS-3: /ready is 503 and names it, /health stays 200, and both come back by themselves", async () => {
          await untilReady(200);
          await begin();
          await untilReady(503);
          const { json } = await ready();
          assert.deepEqual(json, { status: "not_ready", checks: { postgres: "ok", valkey: "unreachable" } });
          assert.equal((await send(service, "GET", "/health", { key: null })).status, 200);
          await eventually(async () => assert.equal(await metric("payinference_cache_up"), 0));
          await end();
          await untilReady(200);
          assert.equal((await ready()).text, '{"status":"ready","checks":{"postgres":"ok","valkey":"ok"}}');
          await eventually(async () => assert.equal(await metric("payinference_cache_up"), 1));
        });

        it("RATE-7: requests pass unlimited; the limit holds again once the cache is back", async () => {
          await untilReady(200);
          const key = await newKey();
          await begin();
          for (let i = 0; i < 3 * LIMIT; i++) assert.equal((await decide(service, key)).status, 200);
          await end();
          await eventually(async () => {
            const statuses: number[] = [];
            for (let i = 0; i < 2 * LIMIT; i++) statuses.push((await decide(service, key)).status);
            assert.equal(statuses.at(-1), 429);
          }, 20_000);
        });

        it("IDEM-8: a key's own node still replays it; every node replays it, with the same bytes, once the cache is back", async () => {
          await untilReady(200);
          const name = `key-${outage}`;
          await begin();
          await untilReady(503);
          const first = await decide(service, await newKey(), name);
          const again = await decide(service, await newKey(), name);
          assert.deepEqual([first.status, isReplay(first)], [200, false]);
          assert.deepEqual([again.status, again.text, isReplay(again)], [200, first.text, true]);
          await end();
          await untilShared();
          // Once the cache is back, the node stores the reply there too.
          const hash = replyKey(service.workspaceId, "test", "demo_merchant", name);
          await eventually(async () => {
            const shared = await valkey.client.get(`pi:{${service.workspaceId}}:reply:${hash}`);
            assert.ok(shared?.endsWith(first.text));
          });
          const elsewhere = await decide(other, await newKey(), name);
          assert.deepEqual([elsewhere.text, isReplay(elsewhere)], [first.text, true]);
        });
      });
    }
  },
);

describe("decisions under load while the cache is killed and frozen", { skip }, () => {
  it("IDEM-8: all are 200, few wait for the cache, and nothing is lost", async (t) => {
    const [node] = await startNodes(1, { CACHE_URL: valkey.url, RATE_LIMIT_PER_MINUTE: "1000000" });
    assert.ok(node !== undefined);
    const timeouts = async (): Promise<number> => {
      const series = await (await fetch(node.metricsUrl)).text();
      assert.ok(readMetricSeries(series).has("payinference_cache_operations_total"));
      return Array.from(
        series.matchAll(/^payinference_cache_operations_total\{.*result="timeout"\} (\d+)$/gm),
        ([, count]) => Number(count),
      ).reduce((sum, count) => sum + count, 0);
    };
    const load = startDecisionLoad({ url: node.url, key: node.key, ratePerSecond: 100 });
    for (const { outage, begin, end } of OUTAGES) {
      await sleep(500);
      const usualMs = load.takeSlowestMs();
      const before = await timeouts();
      await begin();
      await sleep(2000);
      const waited = (await timeouts()) - before;
      t.diagnostic(
        `${outage}: slowest answer ${Math.round(load.takeSlowestMs())} ms (before: ${Math.round(usualMs)}), ${waited} time-outs`,
      );
      // The load sent about 200 requests in these two seconds. Without the breaker each would have waited for a
      // time-out.
      assert.ok(waited < 20, `${waited} round trips timed out`);
      await end();
    }
    await sleep(500);
    await load.stop();
    assert.deepEqual([...load.statuses.keys()], [200]);
    assert.equal(load.unanswered(), 0);
    await assertNothingLost(node.pool, [load]);
  });
});

describe("a full journal beside CACHE_URL", { skip }, () => {
  it("OPS-4: /ready is 503 although the cache answers, and 200 again when there is room", async (t) => {
    const disk = await mountSmallDisk(SMALL_DISK_BYTES);
    if (disk === null) return t.skip(NO_MOUNTS);
    const node = await startTestService({ DATA_DIR: disk, CACHE_URL: valkey.url, CACHE_TIMEOUT_MS: "1000" });
    const answersReady = (status: number, checks: object): Promise<void> =>
      eventually(async () => {
        const reply = await send(node, "GET", "/ready", { key: null });
        assert.deepEqual([reply.status, reply.json["checks"]], [status, checks]);
      }, 20_000);
    await answersReady(200, { postgres: "ok", valkey: "ok" });
    const makeRoom = await DISK_FAULTS["full"]?.(disk);
    await answersReady(503, { postgres: "ok", valkey: "unreachable" });
    assert.match(await (await fetch(node.metricsUrl)).text(), /^payinference_journal_writable 0$/m);
    assert.equal((await decide(node, node.key)).status, 503);
    await makeRoom?.();
    await answersReady(200, { postgres: "ok", valkey: "ok" });
    assert.equal((await decide(node, node.key)).status, 200);
    assert.equal(await node.stop(), 0);
  });
});
