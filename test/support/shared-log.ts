import assert from "node:assert/strict";
import type { Pool } from "pg";
import { issueApiKey } from "../../src/auth/issue-api-key.js";
import { insertWorkspace } from "../../src/persistence/catalog-queries.js";
import { createIdGenerator } from "../../src/shared/ids.js";
import { createRandomSource } from "../../src/shared/random-source.js";
import { SCOPES } from "../../src/shared/vocabulary.js";
import { eventually } from "./eventually.js";

const ids = createIdGenerator(createRandomSource());
const NOT_FOUND = 404;
const TOO_MANY_REQUESTS = 429;

/** What several nodes acknowledge, as a reader at any of them sees it. */
export interface SharedLog {
  /** One of them has acknowledged a decision or an outcome. */
  acknowledged(): void;
  /** Resolves once everything that any of them has acknowledged is stored. */
  stored(): Promise<void>;
}

/**
 * contract §9 "Read your writes": a read of a node waits until what that node has acknowledged is stored. So `stored`
 * reads once from each node, past the edge. The reader is of a workspace of its own: it changes nothing that a test sees.
 */
export function createSharedLog(nodes: readonly { url: string }[], pool: Pool): SharedLog {
  const workspaceId = `ws_${ids.next(Date.now())}`;
  const nothing = `dec_${ids.next(Date.now())}`;
  let key: Promise<string> | null = null;
  let acknowledgements = 0;
  let storedThrough = 0;

  const newKey = async (): Promise<string> => {
    const { secret } = await issueApiKey(pool, {
      keyId: `key_${ids.next(Date.now())}`,
      workspaceId,
      name: "Reader",
      mode: "test",
      scopes: [...SCOPES],
      merchantId: null,
      expiresAt: null,
    });
    return secret;
  };
  const firstKey = async (): Promise<string> => {
    await insertWorkspace(pool, { workspaceId, name: "Reader" });
    return newKey();
  };
  const read = async (url: string): Promise<void> => {
    const used = (key ??= firstKey());
    const reply = await fetch(`${url}/v1/decisions/${nothing}`, { headers: { "x-api-key": await used } });
    const text = await reply.text();
    // The limit is that of the test's own service.
    if (reply.status === TOO_MANY_REQUESTS && key === used) key = newKey();
    assert.equal(reply.status, NOT_FOUND, text);
  };
  return {
    acknowledged: () => void acknowledgements++,
    async stored() {
      const through = acknowledgements;
      if (through === storedThrough) return;
      // A node answers 503 where storing takes longer than a read may.
      await Promise.all(nodes.map(({ url }) => eventually(() => read(url), 30_000)));
      storedThrough = Math.max(storedThrough, through);
    },
  };
}
