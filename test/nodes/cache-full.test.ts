import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createCacheClient } from "../../src/platform/cache/cache-client.js";
import { bodyHashOf } from "../../src/path/idempotency/reply-store.js";
import { createSharedReplies, SHARED_REPLY_SCRIPTS } from "../../src/path/idempotency/shared-replies.js";
import { createSharedWindow, TAKE } from "../../src/path/access/shared-window.js";
import { LIMITS } from "../../src/domain/vocabulary/limits.js";
import { TUNING } from "../../src/domain/vocabulary/tuning.js";
import { closeLater } from "../support/closing.js";
import { VALKEY_STARTS } from "../support/machine/deploy-files.js";
import { inOneMinute } from "../support/waiting/one-minute.js";
import { eventually } from "../support/service/service.js";
import { startSecureValkey } from "../support/edge/valkey-tls.js";
import { NO_VALKEY, type TestValkey } from "../support/edge/valkey.js";

const skip = NO_VALKEY;
const WORKSPACE = "ws_01jd4wqk2m0000000000000000";
/** The cache server's memory. About 4000 replies fill it. */
const MEMORY = "8mb";
const REPLIES_PER_TURN = 200;
/** The pause after each turn. The server measures ages in whole seconds, so its contents must be some seconds old. */
const TURN_MS = 150;
const EVICTED_MIN = 2000;
const LIMIT = 10;
const names = (count: number, name: string): string[] =>
  Array.from({ length: count }, (_, n) => `${name}_${n}`);
const PRINCIPALS = names(50, "key");
const REPLY = "r".repeat(1450);
const reply = {
  workspaceId: WORKSPACE,
  bodyHash: bodyHashOf("request"),
  body: REPLY,
  leftMs: LIMITS.idempotencyWindowMs,
};

async function openCache(url: string, ca: string | null = null) {
  const scripts = [TAKE, ...SHARED_REPLY_SCRIPTS];
  const cache = createCacheClient({
    url,
    ca,
    name: "test",
    scripts,
    timeoutMs: 1000,
    onRoundTrip: () => undefined,
  });
  closeLater(async () => cache.close());
  await eventually(async () => assert.ok(cache.isUp()));
  return cache;
}

async function evictedOf({ client }: TestValkey): Promise<number> {
  return Number(/^evicted_keys:(\d+)/m.exec(await client.info("stats"))?.[1]);
}

describe(
  "docs/runbooks/cache.md: a full cache costs the oldest replies their hour and nothing else",
  { skip },
  () => {
    for (const start of VALKEY_STARTS) {
      it(`as ${start.file} starts it: rate counts still limit, and a claim still makes the other node wait`, async () => {
        const valkey = await startSecureValkey(start, ["--maxmemory", MEMORY]);
        const cache = await openCache(valkey.url, valkey.ca);
        const [a, b] = [createSharedReplies(cache, "node-a"), createSharedReplies(cache, "node-b")];
        await inOneMinute(async () => {
          await valkey.client.flushall();
          const before = await evictedOf(valkey);
          const window = createSharedWindow({ cache, name: "key", limitPerMinute: LIMIT });
          let admitted: boolean[] = [];
          for (let turn = 0; (await evictedOf(valkey)) - before < EVICTED_MIN; turn++) {
            admitted = await Promise.all(
              PRINCIPALS.map(async (principal) => window.take(principal, Date.now())),
            );
            const claimed = names(10, `claim_${turn}`).map((replyKey) => ({
              workspaceId: WORKSPACE,
              replyKey,
            }));
            const claimedMs = performance.now();
            await a.claim(claimed);
            await a.store(
              names(REPLIES_PER_TURN, `reply_${turn}`).map((replyKey) => ({ ...reply, replyKey })),
            );
            await sleep(TURN_MS);
            const held = await b.claim(claimed);
            // While the host is paused, a claim can expire.
            if (performance.now() - claimedMs < TUNING.idempotencyClaimMs)
              assert.deepEqual(
                held,
                claimed.map(() => "held"),
              );
          }
          assert.deepEqual(
            admitted,
            PRINCIPALS.map(() => false),
          );
        });
      });
    }
  },
);
