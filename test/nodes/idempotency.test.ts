import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { bodyHashOf, replyKey } from "../../src/path/idempotency/reply-store.js";
import { cachedNodes } from "../support/service/nodes.js";
import {
  decisionBody,
  eventually,
  send,
  sendRead,
  type Reply,
  type RunningService,
} from "../support/service/service.js";
import { NO_VALKEY, type TestValkey } from "../support/edge/valkey.js";

const skip = NO_VALKEY;
const HOUR_MS = 3_600_000;

let valkey: TestValkey;
let nodes: RunningService[];
before(async () => {
  if (skip !== false) return;
  ({ valkey, nodes } = await cachedNodes());
  await untilShared();
});

let shares = 0;
/**
 * A worker waits a second for its connection to the cache. After that it decides without the cache until it is
 * connected.
 */
async function untilShared(): Promise<void> {
  await eventually(async () => {
    const [first, ...others] = nodes;
    assert.ok(first !== undefined);
    const name = `share-${shares++}`;
    await decide(first, name);
    for (const other of others) assert.ok(isReplay(await decide(other, name)));
  }, 20_000);
}

const nodeAt = (index: number): RunningService => nodes[index % nodes.length] as RunningService;

function decide(node: RunningService, key: string, orderId = key): Promise<Reply> {
  const body = decisionBody({ order_id: orderId });
  return send(node, "POST", "/v1/decision", { body, headers: { "idempotency-key": key } });
}

const isReplay = ({ headers }: Reply): boolean => headers.get("idempotency-replayed") === "true";

/** The name under which the nodes store the state of an idempotency key in the cache. */
function placeOf(key: string): string {
  const { workspaceId } = nodeAt(0);
  return `pi:{${workspaceId}}:reply:${replyKey(workspaceId, "test", "demo_merchant", key)}`;
}

describe("CACHE_URL shares idempotency between nodes", { skip }, () => {
  it("SET-5: 200 concurrent requests with one key, spread over three nodes, resolve to one stored decision", async () => {
    for (const key of ["storm-1", "storm-2", "storm-3"]) {
      const replies = await Promise.all(
        Array.from({ length: 200 }, (_, index) => decide(nodeAt(index), key)),
      );
      assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
      assert.equal(new Set(replies.map(({ text }) => text)).size, 1, "byte-identical");
      assert.equal(replies.filter((reply) => !isReplay(reply)).length, 1, "one is no replay");
    }
    // After these reads every journal is drained, so PostgreSQL has everything.
    for (const node of nodes) assert.equal((await sendRead(node, "GET", "/v1/decisions")).status, 200);
    const { rows } = await nodeAt(0).pool.query<{ order_id: string; stored: number }>(
      "select order_id, count(*)::int as stored from decisions where starts_with(order_id, 'storm-') group by 1 order by 1",
    );
    assert.deepEqual(
      rows,
      ["storm-1", "storm-2", "storm-3"].map((order_id) => ({ order_id, stored: 1 })),
    );
  });

  it("another node replays the stored bytes, and says so when the body differs", async () => {
    const first = await decide(nodeAt(0), "replayed");
    for (const node of nodes) {
      const again = await decide(node, "replayed");
      assert.deepEqual([again.status, again.text, isReplay(again)], [200, first.text, true]);
      assert.equal(again.headers.get("idempotency-body-mismatch"), null);
      const other = await decide(node, "replayed", "another order");
      assert.deepEqual([other.text, isReplay(other)], [first.text, true]);
      assert.equal(other.headers.get("idempotency-body-mismatch"), "true");
    }
  });

  it("the stored reply stays for one hour, under the workspace's own name", async () => {
    await decide(nodeAt(0), "kept");
    const leftMs = await valkey.client.pttl(placeOf("kept"));
    assert.ok(leftMs > HOUR_MS - 60_000 && leftMs <= HOUR_MS, `${leftMs} ms`);
    for (const place of await valkey.client.keys("*")) {
      assert.ok((await valkey.client.pttl(place)) > 0, `${place} goes by itself`);
    }
  });

  it("only 200s are stored: a refused request does not block its key for others", async () => {
    const refused = await send(nodeAt(0), "POST", "/v1/decision", {
      body: decisionBody({ merchant_id: "nobody" }),
      headers: { "idempotency-key": "refused" },
    });
    assert.equal(refused.status, 403);
    const taken = await decide(nodeAt(1), "refused");
    assert.deepEqual([taken.status, isReplay(taken)], [200, false]);
  });

  it("a request waits for the deciding node, and gets that node's decision", async () => {
    const { text: reply } = await decide(nodeAt(1), "decided elsewhere");
    await valkey.client.set(placeOf("waited"), "c:another-node");
    let answered = false;
    const waiting = decide(nodeAt(0), "waited").finally(() => (answered = true));
    await sleep(300);
    assert.equal(answered, false);
    const body = JSON.stringify(decisionBody({ order_id: "waited" }));
    await valkey.client.set(placeOf("waited"), `r:${bodyHashOf(body)}:${reply}`, "PX", HOUR_MS);
    const answer = await waiting;
    assert.deepEqual([answer.status, answer.text, isReplay(answer)], [200, reply, true]);
    assert.equal(answer.headers.get("idempotency-body-mismatch"), null);
  });

  it("the claim of a dead node expires, and the next node decides", async () => {
    await valkey.client.set(placeOf("orphaned"), "c:a-dead-node", "PX", 500);
    const answer = await decide(nodeAt(0), "orphaned");
    assert.deepEqual([answer.status, isReplay(answer)], [200, false]);
    assert.equal((await decide(nodeAt(1), "orphaned")).text, answer.text);
  });

  it("the deciding node restores from its journal the replies that the cache has lost", async () => {
    const first = await decide(nodeAt(0), "lost");
    await valkey.client.del(placeOf("lost"));
    assert.equal((await decide(nodeAt(0), "lost", "another body")).text, first.text);
    const again = await decide(nodeAt(1), "lost");
    assert.deepEqual([again.text, isReplay(again)], [first.text, true]);
    assert.equal(again.headers.get("idempotency-body-mismatch"), null, "the first body is what counts");
  });

  it("a reply outlives the node that gave it", async () => {
    const first = await decide(nodeAt(2), "survivor");
    const restarted = nodeAt(2).killAndRestart();
    const again = await decide(nodeAt(0), "survivor");
    assert.deepEqual([again.text, isReplay(again)], [first.text, true]);
    await restarted;
    const replayed = await decide(nodeAt(2), "survivor");
    assert.deepEqual([replayed.text, isReplay(replayed)], [first.text, true]);
  });
});
