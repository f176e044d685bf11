import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { createNodeIdentity, type NodeIdentity } from "../../../src/path/decide/identity/node-identity.js";
import {
  claimNodeNumber,
  giveBackNodeNumber,
} from "../../../src/path/decide/identity/node-identity-queries.js";
import { NODE_NUMBERS } from "../../../src/domain/ids/decision-id.js";
import { createTestDatabase, temporaryDir, type TestDatabase } from "../../support/postgres/postgres.js";

const KEY = "0123456789abcdef0123456789abcdef";

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});

async function node(nodeId: string, secretKey: string | null, dir?: string): Promise<NodeIdentity> {
  const dataDir = dir ?? (await temporaryDir());
  await mkdir(join(dataDir, "journal"), { recursive: true });
  return createNodeIdentity({ dataDir, nodeId, secretKey });
}

describe("OUT-15: the parts of decision ids", () => {
  it("they come from each node's own number and from one key on all nodes, derived from SECRET_KEY", async () => {
    const [first, second] = [await node("first", KEY), await node("second", KEY)];
    const [a, b] = [await first.claim(database.pool, 0), await second.claim(database.pool, 0)];
    assert.notEqual(a.node, b.node);
    assert.deepEqual(a.key, b.key);
    assert.deepEqual([a.isKeyMismatched, b.isKeyMismatched], [false, false]);
    assert.equal((await first.claim(database.pool, 0)).node, a.node);
  });

  it("is remembered on the disk, for a start while PostgreSQL is away", async () => {
    const dir = await temporaryDir();
    const identity = await node("kept", KEY, dir);
    assert.equal(await identity.kept(), null);
    const { isKeyMismatched: _, ...claimed } = await identity.claim(database.pool, 0);
    assert.deepEqual(await (await node("kept", KEY, dir)).kept(), claimed);
  });

  it("detects a node whose SECRET_KEY differs from that of the other nodes", async () => {
    const stranger = await node("stranger", `${KEY}!`);
    assert.equal((await stranger.claim(database.pool, 0)).isKeyMismatched, true);
    const without = await node("without", null);
    assert.equal((await without.claim(database.pool, 0)).isKeyMismatched, true);
  });

  it("uses a secret from the database if no node has a SECRET_KEY", async () => {
    const { pool } = await createTestDatabase();
    const dir = await temporaryDir();
    const [first, second] = [await node("first", null, dir), await node("second", null)];
    const [a, b] = [await first.claim(pool, 0), await second.claim(pool, 0)];
    assert.deepEqual(a.key, b.key);
    assert.deepEqual([a.isKeyMismatched, b.isKeyMismatched], [false, false]);
    assert.deepEqual((await (await node("first", null, dir)).kept())?.key, a.key);
  });

  it("NODE-5: 300 nodes start and stop cleanly, and each gets a number", async () => {
    const { pool } = await createTestDatabase();
    for (let i = 0; i < 300; i++) {
      const coming = await node(`pod-${i}`, KEY);
      assert.ok((await coming.claim(pool, i)).node < NODE_NUMBERS);
      await coming.giveBack(pool);
    }
  });

  it("NODE-5: reuses a released number only if no other is left, and never a living node's", async () => {
    const { pool } = await createTestDatabase();
    const claim = (nodeId: string) => claimNodeNumber(pool, nodeId, 3, 0);
    assert.deepEqual([await claim("a"), await claim("b")], [0, 1]);
    await giveBackNodeNumber(pool, "a");
    assert.equal(await claim("c"), 2);
    assert.equal(await claim("a"), 0, "it came back before anybody needed its number");
    await assert.rejects(claim("d"), /^error: all 3 node numbers are in use: [^\n]+$/);
    await giveBackNodeNumber(pool, "b");
    assert.equal(await claim("d"), 1);
    await assert.rejects(claim("b"), /all 3 node numbers are in use/);
    assert.deepEqual([await claim("a"), await claim("c"), await claim("d")], [0, 2, 1]);
  });

  it("NODE-5: takes a number from a node that is silent for ten minutes and owes nothing, and from no other", async () => {
    const { pool } = await createTestDatabase();
    const claim = (nodeId: string, lastSequence = 0) => claimNodeNumber(pool, nodeId, 2, lastSequence);
    const silent = (nodeId: string, minutes: number) =>
      pool.query(
        "update journal_positions set updated_at = now() - make_interval(mins => $2) where node_id = $1",
        [nodeId, minutes],
      );
    assert.deepEqual([await claim("owes", 7), await claim("quiet", 7)], [0, 1]);
    // PostgreSQL holds all records that `quiet` had in its journal at its last report.
    await pool.query("update journal_positions set position = 7 where node_id = 'quiet'");
    await silent("owes", 60);
    await silent("quiet", 9);
    await assert.rejects(claim("new"), /all 2 node numbers are in use/);
    await silent("quiet", 11);
    assert.equal(await claim("new"), 1);
    await assert.rejects(claim("quiet"), /all 2 node numbers are in use/);
    // After so long the disk of `owes` counts as lost, so its waiting records will never be stored.
    await silent("owes", 8 * 24 * 60);
    assert.equal(await claim("quiet"), 0);
  });
});
