import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import fc from "fast-check";
import { Redis } from "ioredis";
import { setTimeout as sleep } from "node:timers/promises";
import { idToHex } from "../../src/domain/ids/ids.js";
import { MOVE_TUNING } from "../../src/domain/vocabulary/tuning/moves.js";
import { carryReplies } from "../../src/features/moves/job/replies.js";
import { createCacheClient } from "../../src/platform/cache/cache-client.js";
import { createOwedReplies } from "../../src/path/idempotency/owed-replies.js";
import { bodyHashOf } from "../../src/path/idempotency/reply-store.js";
import {
  createSharedReplies,
  SHARED_REPLY_SCRIPTS,
  type SharedReplies,
} from "../../src/path/idempotency/shared-replies.js";
import { LIMITS } from "../../src/domain/vocabulary/limits.js";
import { TUNING } from "../../src/domain/vocabulary/tuning.js";
import { closeLater } from "../support/closing.js";
import { eventually } from "../support/service/service.js";
import { NO_VALKEY, startValkey, type TestValkey } from "../support/edge/valkey.js";
import { anyText } from "../support/generators/text.js";

const skip = NO_VALKEY;
const WORKSPACE = "ws_01jd4wqk2m0000000000000000";

let valkey: TestValkey;
let a: SharedReplies;
let b: SharedReplies;
before(async () => {
  if (skip !== false) return;
  valkey = await startValkey();
  [a, b] = [await openNode("node-a"), await openNode("node-b")];
});

async function openNode(nodeId: string): Promise<SharedReplies> {
  const cache = createCacheClient({
    url: valkey.url,
    ca: null,
    name: nodeId,
    scripts: SHARED_REPLY_SCRIPTS,
    timeoutMs: 1000,
    onRoundTrip: () => undefined,
  });
  closeLater(async () => cache.close());
  await eventually(async () => assert.ok(cache.isUp()));
  return createSharedReplies(cache, nodeId);
}

const at = (replyKey: string) => ({ workspaceId: WORKSPACE, replyKey });
const reply = (replyKey: string, body: string, leftMs: number = LIMITS.idempotencyWindowMs) => ({
  ...at(replyKey),
  bodyHash: bodyHashOf(`request of ${body}`),
  body,
  leftMs,
});
const shown = (body: string) => ({ bodyHash: bodyHashOf(`request of ${body}`), body });

describe(
  "IDEM-6: two concurrent requests with one key, on two nodes, resolve to one stored decision",
  { skip },
  () => {
    it("one node claims, the other waits, and then finds the reply", async () => {
      assert.deepEqual(await a.claim([at("one")]), ["ours"]);
      assert.deepEqual(await b.claim([at("one")]), ["held"]);
      assert.deepEqual(await a.store([reply("one", "of a")]), [null]);
      assert.deepEqual(await b.claim([at("one")]), [shown("of a")]);
      assert.deepEqual(await a.claim([at("one")]), [shown("of a")]);
    });

    it("the keys of a batch are claimed separately", async () => {
      await a.claim([at("held")]);
      await a.store([reply("stored", "of a")]);
      assert.deepEqual(await b.claim([at("free"), at("held"), at("stored"), at("free")]), [
        "ours",
        "held",
        shown("of a"),
        "ours",
      ]);
    });

    it("a node can claim its own key again, because its journal picks one of its requests", async () => {
      assert.deepEqual(await a.claim([at("own")]), ["ours"]);
      assert.deepEqual(await a.claim([at("own")]), ["ours"]);
      assert.deepEqual(await b.claim([at("own")]), ["held"]);
    });

    it("when two nodes have decided, the first one to store counts for both", async () => {
      await a.store([reply("twice", "of a")]);
      assert.deepEqual(await b.store([reply("twice", "of b")]), [shown("of a")]);
      assert.deepEqual(await a.claim([at("twice")]), [shown("of a")]);
    });

    it("a dead node's claim expires, and a released claim ends at once", async () => {
      await a.claim([at("ends")]);
      const [place = ""] = await valkey.client.keys("*:ends");
      const leftMs = await valkey.client.pttl(place);
      assert.ok(leftMs > 0 && leftMs <= TUNING.idempotencyClaimMs, `${leftMs} ms`);
      await b.release([at("ends")]);
      assert.deepEqual(await b.claim([at("ends")]), ["held"], "another's claim is not released");
      await a.release([at("ends")]);
      assert.deepEqual(await b.claim([at("ends")]), ["ours"]);
      await a.store([reply("ends", "of a")]);
      await b.release([at("ends")]);
      assert.deepEqual(await b.claim([at("ends")]), [shown("of a")], "nor is a reply");
    });

    it("a reply expires after its hour", async () => {
      await a.store([reply("short", "of a", 30)]);
      await eventually(async () => assert.deepEqual(await valkey.client.keys("*:short"), []));
      assert.deepEqual(await b.claim([at("short")]), ["ours"]);
    });

    it("a node shares its answers from the time without the cache, for the rest of the hour", async () => {
      let nowMs = 0;
      const owed = createOwedReplies(a, () => nowMs);
      owed.owe([reply("owed", "of a", 10_000), reply("over", "of a", 3000), reply("taken", "of a")]);
      await b.store([reply("taken", "of b")]);
      nowMs = 4000;
      await owed.pay();
      assert.deepEqual(await b.claim([at("owed"), at("over"), at("taken")]), [
        shown("of a"),
        "ours",
        shown("of b"),
      ]);
      const [place = ""] = await valkey.client.keys("*:owed");
      const leftMs = await valkey.client.pttl(place);
      assert.ok(leftMs > 0 && leftMs <= 6000, `${leftMs} ms`);
    });

    it("it shares them again after a failure, and only the newest if there are too many", async () => {
      let answers = false;
      const shared: string[] = [];
      const owed = createOwedReplies(
        {
          ...a,
          isUp: () => true,
          store: async (replies) => {
            if (!answers) return null;
            shared.push(...replies.map(({ replyKey }) => replyKey));
            return replies.map(() => null);
          },
        },
        () => 0,
      );
      const many = TUNING.owedRepliesMax + 10;
      owed.owe(Array.from({ length: many }, (_, index) => reply(`key-${index}`, "of a")));
      await owed.pay();
      assert.deepEqual(shared, []);
      answers = true;
      for (let i = 0; i <= many / TUNING.owedRepliesAtOnce; i++) await owed.pay();
      assert.deepEqual(
        shared,
        Array.from({ length: TUNING.owedRepliesMax }, (_, index) => `key-${index + 10}`),
      );
    });

    it("any reply comes back unchanged, byte for byte", async () => {
      let n = 0;
      const text = anyText();
      await fc.assert(
        fc.asyncProperty(text, async (body) => {
          const key = `text-${n++}`;
          await a.store([reply(key, body)]);
          assert.deepEqual(await b.claim([at(key)]), [shown(body)]);
        }),
        { numRuns: 50 },
      );
    });
  },
);

describe("CELL-10: replies that come from another cell", { skip }, () => {
  it("no new key is claimed until they are there, however long they take", async () => {
    const [source, target] = [new Redis(valkey.url), new Redis(valkey.url)];
    closeLater(() => [source, target].forEach((cache) => cache.disconnect()));
    const copied = await carryReplies({ source, target }, idToHex(WORKSPACE), async () => {
      // A hold that nobody renews is over by then.
      await sleep(MOVE_TUNING.holdMs * 1.5);
      assert.deepEqual(await a.claim([at("new while it is held")]), ["held"]);
    });
    assert.equal(typeof copied, "number");
    assert.deepEqual(await a.claim([at("new while it is held")]), ["ours"]);
  });
});
