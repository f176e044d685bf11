import { randomFillSync } from "node:crypto";
import assert from "node:assert/strict";
import type { Pool } from "pg";
import { issueApiKey } from "../../../src/features/api-keys/issue-api-key.js";
import { insertWorkspace } from "../../../src/features/workspaces/queries/workspace.js";
import { createIdGenerator, createRandomSource } from "../../../src/domain/ids/ids.js";
import { SCOPES } from "../../../src/domain/vocabulary/vocabulary.js";
import { untilPasses } from "../waiting/eventually.js";

const ids = createIdGenerator(createRandomSource(randomFillSync));
const TOO_MANY_REQUESTS = 429;

/** Tracks what several nodes have acknowledged. It reads in its own workspace, so that no figures of a test change. */
export interface SharedLog {
  /** Call it after a node has acknowledged a decision or an outcome. */
  acknowledged(): void;
  /** Resolves once everything that any node has acknowledged is stored. */
  stored(): Promise<void>;
}

export function createSharedLog(nodes: readonly { url: string }[], pool: Pool): SharedLog {
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
    return newKey();
  };
  /** The read goes to the node itself, not to the edge. */
  const read = async ({ url }: { url: string }): Promise<void> => {
    const used = (key ??= firstKey());
    const headers = { "x-api-key": await used };
    const reply = await fetch(`${url}/v1/decisions/${noDecision}`, { headers });
    const text = await reply.text();
    // The service under test limits the requests of each key, so a new key replaces a used-up one.
    if (reply.status === TOO_MANY_REQUESTS && key === used) key = newKey();
    assert.equal(reply.status, 404, text);
  };

  return {
    acknowledged: () => void acknowledgements++,
    async stored() {
      const through = acknowledgements;
      if (through === storedThrough) return;
      // DUR-8: a node answers a read once everything it has acknowledged is stored, or answers 503 after a time limit.
      await Promise.all(nodes.map((node) => untilPasses(() => read(node))));
      storedThrough = Math.max(storedThrough, through);
    },
  };
}
