import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { open } from "lmdb";
import {
  bodyHashOf,
  createReplyStore,
  replyKey,
  type ReplyStore,
} from "../../../src/idempotency/reply-store.js";
import { closeLater } from "../../support/actor-parts.js";
import { temporaryDir } from "../../support/postgres.js";

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 10, 20);

async function createStore(isOverfull = () => false): Promise<{ store: ReplyStore; stored(): number }> {
  const env = open({ path: await temporaryDir(), maxDbs: 2 });
  closeLater(() => env.close());
  const replies = env.openDB<string, string>({ name: "replies", encoding: "string" });
  const expiries = env.openDB<string, [number, string]>({ name: "expiries", encoding: "string" });
  return {
    store: createReplyStore({ replies, expiries, isOverfull }),
    stored: () => {
      assert.equal(replies.getCount(), expiries.getCount());
      return replies.getCount();
    },
  };
}

describe("spec: Idempotency, the stored response", () => {
  it("is found for one hour, to the millisecond, and not after", async () => {
    const { store } = await createStore();
    store.store("key", bodyHashOf("request"), "reply", NOW_MS);
    for (const ms of [0, 1, HOUR_MS - 1]) {
      assert.deepEqual(store.find("key", NOW_MS + ms), {
        body: "reply",
        bodyHash: bodyHashOf("request"),
        expiresAtMs: NOW_MS + HOUR_MS,
      });
    }
    for (const ms of [HOUR_MS, HOUR_MS + 1]) assert.equal(store.find("key", NOW_MS + ms), null);
    assert.equal(store.find("another", NOW_MS), null);
  });

  it("tells by the hash whether the request's bytes are the stored request's", async () => {
    const { store } = await createStore();
    store.store("key", bodyHashOf("request"), "reply", NOW_MS);
    const { bodyHash } = store.find("key", NOW_MS) ?? assert.fail("it is stored");
    assert.equal(bodyHash, bodyHashOf("request"));
    for (const other of ["request ", "", "Request"]) assert.notEqual(bodyHash, bodyHashOf(other));
  });

  it("keeps any reply as it is", async () => {
    const { store } = await createStore();
    const text = fc.string({ unit: "binary" }).filter((value) => value.isWellFormed());
    fc.assert(
      fc.property(text, text, (request, reply) => {
        const bodyHash = bodyHashOf(request);
        store.store("key", bodyHash, reply, NOW_MS);
        assert.deepEqual(store.find("key", NOW_MS), {
          body: reply,
          bodyHash,
          expiresAtMs: NOW_MS + HOUR_MS,
        });
      }),
    );
  });

  it("is swept once its hour is over, a limited number at a time", async () => {
    const { store, stored } = await createStore();
    for (let i = 0; i < 10; i++) store.store(`key_${i}`, bodyHashOf("request"), "reply", NOW_MS + i);
    assert.equal(store.sweep(NOW_MS + HOUR_MS - 1, 100), 0);
    assert.equal(stored(), 10);
    assert.equal(store.sweep(NOW_MS + HOUR_MS, 100), 1);
    assert.equal(store.sweep(NOW_MS + HOUR_MS + 5, 2), 2);
    assert.equal(stored(), 7);
    assert.notEqual(store.find("key_3", NOW_MS + HOUR_MS), null);
    assert.equal(store.sweep(NOW_MS + 2 * HOUR_MS, 100), 7);
    assert.equal(stored(), 0);
  });

  it("is not swept for the sake of an older one under the same key", async () => {
    const { store, stored } = await createStore();
    store.store("key", bodyHashOf("request"), "first", NOW_MS);
    const laterMs = NOW_MS + HOUR_MS + 1;
    assert.equal(store.find("key", laterMs), null);
    store.store("key", bodyHashOf("request"), "second", laterMs);
    assert.equal(store.sweep(laterMs, 100), 1);
    assert.equal(store.find("key", laterMs)?.body, "second");
    assert.equal(stored(), 1);
  });

  it("goes before its hour, oldest first, only where there is no room for all", async () => {
    let overfull = false;
    const { store, stored } = await createStore(() => overfull);
    for (let i = 0; i < 10; i++) store.store(`key_${i}`, bodyHashOf("request"), "reply", NOW_MS + i);
    assert.equal(store.sweep(NOW_MS + 10, 3), 0);
    overfull = true;
    assert.equal(store.sweep(NOW_MS + 10, 3), 3);
    assert.equal(stored(), 7);
    assert.equal(store.find("key_2", NOW_MS + 10), null);
    assert.equal(store.find("key_3", NOW_MS + 10)?.body, "reply");
  });
});

describe("contract §4 Idempotency: the key's scope", () => {
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
