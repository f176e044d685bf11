import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { open } from "lmdb";
import {
  bodyHashOf,
  createReplyStore,
  replyKey,
  type ReplyStore,
} from "../../../../src/path/idempotency/reply-store.js";
import { closeLater } from "../../../support/closing.js";
import { temporaryDir } from "../../../support/postgres/postgres.js";
import { anyText } from "../../../support/generators/text.js";

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 10, 20);

function keyOf(idempotencyKey: string): string {
  return replyKey("ws_1", "test", "merchant_1", idempotencyKey);
}

async function createStore(isOverfull = () => false): Promise<{ store: ReplyStore; stored(): number }> {
  const env = open({ path: await temporaryDir(), maxDbs: 2 });
  closeLater(() => env.close());
  const places = env.openDB<Buffer, Buffer>({ name: "places", encoding: "binary", keyEncoding: "binary" });
  const batches = env.openDB<Buffer, number>({ name: "batches", encoding: "binary" });
  return {
    store: createReplyStore({ places, batches, isOverfull }),
    stored: () => {
      if (places.getCount() === 0) assert.equal(batches.getCount(), 0);
      return places.getCount();
    },
  };
}

describe("Idempotency, the stored response", () => {
  it("IDEM-3: is found for one hour, to the millisecond, and not after", async () => {
    const { store } = await createStore();
    store.store([{ key: keyOf("key"), bodyHash: bodyHashOf("request"), reply: "reply" }], NOW_MS);
    for (const ms of [0, 1, HOUR_MS - 1]) {
      assert.deepEqual(store.find(keyOf("key"), NOW_MS + ms), {
        body: "reply",
        bodyHash: bodyHashOf("request"),
        expiresAtMs: NOW_MS + HOUR_MS,
      });
    }
    for (const ms of [HOUR_MS, HOUR_MS + 1]) assert.equal(store.find(keyOf("key"), NOW_MS + ms), null);
    assert.equal(store.find(keyOf("another"), NOW_MS), null);
  });

  it("shows by the hash whether the request's bytes are the stored request's", async () => {
    const { store } = await createStore();
    store.store([{ key: keyOf("key"), bodyHash: bodyHashOf("request"), reply: "reply" }], NOW_MS);
    const { bodyHash } = store.find(keyOf("key"), NOW_MS) ?? assert.fail("it is stored");
    assert.equal(bodyHash, bodyHashOf("request"));
    for (const other of ["request ", "", "Request"]) assert.notEqual(bodyHash, bodyHashOf(other));
  });

  it("keeps any reply as it is", async () => {
    const { store } = await createStore();
    const text = anyText();
    fc.assert(
      fc.property(text, text, (request, reply) => {
        const bodyHash = bodyHashOf(request);
        store.store([{ key: keyOf("key"), bodyHash: bodyHash, reply: reply }], NOW_MS);
        assert.deepEqual(store.find(keyOf("key"), NOW_MS), {
          body: reply,
          bodyHash,
          expiresAtMs: NOW_MS + HOUR_MS,
        });
      }),
    );
  });

  it("is found among the others of its batch", async () => {
    const { store } = await createStore();
    const text = anyText();
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 40 }), (pairs) => {
        const replies = pairs.map(([request, reply], i) => ({
          key: keyOf(`${i}`),
          bodyHash: bodyHashOf(request),
          reply,
        }));
        store.store(replies, NOW_MS);
        const expiresAtMs = NOW_MS + HOUR_MS;
        for (const { key, bodyHash, reply } of replies) {
          assert.deepEqual(store.find(key, NOW_MS), { body: reply, bodyHash, expiresAtMs });
        }
      }),
    );
  });

  it("is swept with its batch, all of it or nothing", async () => {
    const { store, stored } = await createStore();
    const batch = (name: string) =>
      [0, 1, 2].map((i) => ({ key: keyOf(`${name}_${i}`), bodyHash: bodyHashOf("request"), reply: "reply" }));
    store.store(batch("a"), NOW_MS);
    store.store(batch("b"), NOW_MS + 1);
    store.store([{ key: keyOf("a_1"), bodyHash: bodyHashOf("request"), reply: "newer" }], NOW_MS + 2);
    assert.equal(store.sweep(NOW_MS + HOUR_MS + 1, 1), 3);
    assert.equal(stored(), 4);
    assert.equal(store.find(keyOf("a_0"), NOW_MS), null);
    assert.equal(store.find(keyOf("a_1"), NOW_MS)?.body, "newer");
    assert.equal(store.find(keyOf("b_2"), NOW_MS)?.body, "reply");
  });

  it("is swept once its hour is over, a limited number at a time", async () => {
    const { store, stored } = await createStore();
    for (let i = 0; i < 10; i++)
      store.store([{ key: keyOf(`key_${i}`), bodyHash: bodyHashOf("request"), reply: "reply" }], NOW_MS + i);
    assert.equal(store.sweep(NOW_MS + HOUR_MS - 1, 100), 0);
    assert.equal(stored(), 10);
    assert.equal(store.sweep(NOW_MS + HOUR_MS, 100), 1);
    assert.equal(store.sweep(NOW_MS + HOUR_MS + 5, 2), 2);
    assert.equal(stored(), 7);
    assert.notEqual(store.find(keyOf("key_3"), NOW_MS + HOUR_MS), null);
    assert.equal(store.sweep(NOW_MS + 2 * HOUR_MS, 100), 7);
    assert.equal(stored(), 0);
  });

  it("is not swept for the sake of an older one under the same key", async () => {
    const { store, stored } = await createStore();
    store.store([{ key: keyOf("key"), bodyHash: bodyHashOf("request"), reply: "first" }], NOW_MS);
    const laterMs = NOW_MS + HOUR_MS + 1;
    assert.equal(store.find(keyOf("key"), laterMs), null);
    store.store([{ key: keyOf("key"), bodyHash: bodyHashOf("request"), reply: "second" }], laterMs);
    assert.equal(store.sweep(laterMs, 100), 1);
    assert.equal(store.find(keyOf("key"), laterMs)?.body, "second");
    assert.equal(stored(), 1);
  });

  it("is deleted before its hour, oldest first, only if there is not room for all", async () => {
    let overfull = false;
    const { store, stored } = await createStore(() => overfull);
    for (let i = 0; i < 10; i++)
      store.store([{ key: keyOf(`key_${i}`), bodyHash: bodyHashOf("request"), reply: "reply" }], NOW_MS + i);
    assert.equal(store.sweep(NOW_MS + 10, 3), 0);
    overfull = true;
    assert.equal(store.sweep(NOW_MS + 10, 3), 3);
    assert.equal(stored(), 7);
    assert.equal(store.find(keyOf("key_2"), NOW_MS + 10), null);
    assert.equal(store.find(keyOf("key_3"), NOW_MS + 10)?.body, "reply");
  });
});

describe("IDEM-2: Idempotency: the key's scope", () => {
  it("any difference in workspace, mode, merchant or key is another reply", () => {
    const merchantId = fc.stringMatching(/^[A-Za-z0-9_.:-]{1,20}$/);
    const workspaceId = fc.stringMatching(/^ws_[0-9a-z]{5}$/);
    const scope = fc.tuple(
      workspaceId,
      fc.constantFrom("test" as const, "live" as const),
      merchantId,
      fc.string({ maxLength: 20 }),
    );
    fc.assert(
      fc.property(scope, scope, (a, b) => {
        const same = a.every((value, i) => value === b[i]);
        assert.equal(replyKey(...a) === replyKey(...b), same);
        assert.equal(replyKey(...a), replyKey(...a));
      }),
    );
  });
});
