import assert from "node:assert/strict";
import type { Pool } from "pg";
import { issueApiKey } from "../../src/auth/issue-api-key.js";
import { insertMerchant, insertWorkspace } from "../../src/persistence/catalog-queries.js";
import { createIdGenerator } from "../../src/shared/ids.js";
import { createRandomSource } from "../../src/shared/random-source.js";
import { SCOPES } from "../../src/shared/vocabulary.js";
import { untilPasses } from "./eventually.js";

const ids = createIdGenerator(createRandomSource());
const TOO_MANY_REQUESTS = 429;
const MERCHANT = "observed";
/** Each of a node's workers has a connection to the cache; so many keys in a row meet all of them. */
const SHARED_KEYS = 4;

/** What several nodes know in common, seen from a workspace of its own: no test's figures change. */
export interface SharedLog {
  /** One of the nodes has acknowledged a decision or an outcome. */
  acknowledged(): void;
  /** Resolves once everything that any of them has acknowledged is stored. */
  stored(): Promise<void>;
  /** Resolves once the nodes know of each other's idempotent replies. */
  untilShared(): Promise<void>;
}

export function createSharedLog(
  nodes: readonly { url: string }[],
  pool: Pool,
  providers: readonly string[],
): SharedLog {
  const workspaceId = `ws_${ids.next(Date.now())}`;
  const noDecision = `dec_${ids.next(Date.now())}`;
  let key: Promise<string> | null = null;
  let acknowledgements = 0;
  let storedThrough = 0;

  const newKey = async (): Promise<string> => {
    const { secret } = await issueApiKey(pool, {
      keyId: `key_${ids.next(Date.now())}`,
      workspaceId,
      name: "Observer",
      mode: "test",
      scopes: [...SCOPES],
      merchantId: null,
      expiresAt: null,
    });
    return secret;
  };
  const firstKey = async (): Promise<string> => {
    await insertWorkspace(pool, { workspaceId, name: "Observer" });
    await insertMerchant(pool, { workspaceId, merchantId: MERCHANT });
    return newKey();
  };
  /** Past the edge. */
  const ask = async (url: string, more: RequestInit = {}): Promise<[Response, text: string]> => {
    const used = (key ??= firstKey());
    const headers = { ...(more.headers as Record<string, string>), "x-api-key": await used };
    const reply = await fetch(url, { ...more, headers });
    const text = await reply.text();
    // The limit is that of the test's own service, for each key.
    if (reply.status === TOO_MANY_REQUESTS && key === used) key = newKey();
    return [reply, text];
  };
  const read = async ({ url }: { url: string }): Promise<void> => {
    const [{ status }, text] = await ask(`${url}/v1/decisions/${noDecision}`);
    assert.equal(status, 404, text);
  };
  const decide = async ({ url }: { url: string }, idempotencyKey: string): Promise<Response> => {
    const transaction = { amount: 100, currency: "USD", country: "US", payment_method: "card" };
    const body = { merchant_id: MERCHANT, order_id: "o", transaction, available_providers: providers };
    const headers = { "content-type": "application/json", "idempotency-key": idempotencyKey };
    const [reply, text] = await ask(`${url}/v1/decision`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    assert.equal(reply.status, 200, text);
    return reply;
  };

  return {
    acknowledged: () => void acknowledgements++,
    async stored() {
      const through = acknowledgements;
      if (through === storedThrough) return;
      // contract §9 "Read your writes": a node reads when what it has acknowledged is stored, or answers 503 in time.
      await Promise.all(nodes.map((node) => untilPasses(() => read(node), 30_000)));
      storedThrough = Math.max(storedThrough, through);
    },
    async untilShared() {
      await untilPasses(async () => {
        for (let i = 0; i < SHARED_KEYS; i++) {
          const idempotencyKey = ids.next(Date.now());
          const [first, ...again] = i % 2 === 0 ? nodes : nodes.toReversed();
          await decide(first as { url: string }, idempotencyKey);
          for (const node of again) {
            const { headers } = await decide(node, idempotencyKey);
            assert.equal(headers.get("idempotency-replayed"), "true");
          }
        }
      }, 30_000);
    },
  };
}
