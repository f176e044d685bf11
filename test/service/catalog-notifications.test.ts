import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { Pool } from "pg";
import { listenToCatalog } from "../../src/persistence/catalog-listener.js";
import { insertMerchant, insertWorkspace } from "../../src/persistence/catalog-queries.js";
import { createDatabaseGate } from "../support/database-gate.js";
import { createTestDatabase } from "../support/postgres.js";
import { eventually } from "../support/service.js";
import { createKey, newId, revokeKey, setWorkspaceStatus } from "../support/tenants.js";

let pool: Pool;
let url: string;
before(async () => {
  ({ pool, url } = await createTestDatabase());
});

/** What a listening node is told of while `work` runs. */
async function toldOf(work: () => Promise<unknown>): Promise<string[]> {
  const told: (string | null)[] = [];
  const listener = listenToCatalog({ connectionString: url, onChange: (what) => told.push(what) });
  await eventually(async () => assert.deepEqual(told, [null]));
  await work();
  // Notifications arrive in order: this one is the last.
  await pool.query("select pg_notify('payinference_catalog', 'policies')");
  await eventually(async () => assert.equal(told.at(-1), "policies"));
  await listener.close();
  return told.slice(1, -1).map(String);
}

describe("contract §3: other nodes hear of revocations and suspensions, and their key caches of nothing else", () => {
  it("a new workspace, a merchant and a key leave every cached grant alone", async () => {
    const workspaceId = newId("ws");
    const told = await toldOf(async () => {
      await insertWorkspace(pool, { workspaceId, name: "New" });
      await insertMerchant(pool, { workspaceId, merchantId: "m" });
      await createKey(pool, workspaceId);
    });
    assert.deepEqual(told, ["new_workspaces", "merchants"]);
  });

  it("a revocation and a suspension do not; a key's use is no change", async () => {
    const workspaceId = newId("ws");
    await insertWorkspace(pool, { workspaceId, name: "Old" });
    const key = await createKey(pool, workspaceId);
    const told = await toldOf(async () => {
      await pool.query("update api_keys set last_used_at = now()");
      await revokeKey(pool, key);
      await setWorkspaceStatus(pool, workspaceId, "suspended");
    });
    assert.deepEqual(told, ["api_keys", "workspaces"]);
  });
});

describe("contract §5: a publish reaches every node, also one whose connection died without a word", () => {
  it("a connection that hangs is remade, and then everything is read anew", async () => {
    const gate = await createDatabaseGate(url);
    const told: (string | null)[] = [];
    const listener = listenToCatalog({ connectionString: gate.url, onChange: (what) => told.push(what) });
    await eventually(async () => assert.deepEqual(told, [null]));
    await gate.stall();
    await pool.query("select pg_notify('payinference_catalog', 'policies')");
    await gate.open();
    await eventually(async () => assert.deepEqual(told, [null, null]), 20_000);
    await pool.query("select pg_notify('payinference_catalog', 'merchants')");
    await eventually(async () => assert.deepEqual(told, [null, null, "merchants"]));
    await listener.close();
  });
});

describe("contract §9: a stop leaves nothing behind", () => {
  it("a listener that is closed while it connects is not there a moment later, and tells nothing", async () => {
    const gate = await createDatabaseGate(url);
    const told: (string | null)[] = [];
    const listener = listenToCatalog({ connectionString: gate.url, onChange: (what) => told.push(what) });
    await listener.close();
    await eventually(async () => assert.deepEqual(gate.connections(), { taken: 1, open: 0 }));
    assert.deepEqual(told, []);
  });
});
