import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { createNodeIdentity, type NodeIdentity } from "../../../src/path/decide/identity/node-identity.js";
import { claimNodeNumber } from "../../../src/path/decide/identity/node-identity-queries.js";
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

describe("OUT-15: what decision ids are made from", () => {
  it("is a number of each node's own, and one key of SECRET_KEY's on all of them", async () => {
    const [first, second] = [await node("first", KEY), await node("second", KEY)];
    const [a, b] = [await first.claim(database.pool), await second.claim(database.pool)];
    assert.notEqual(a.node, b.node);
    assert.deepEqual(a.key, b.key);
    assert.deepEqual([a.isStranger, b.isStranger], [false, false]);
    assert.equal((await first.claim(database.pool)).node, a.node);
  });

  it("is remembered on the disk, for a start while PostgreSQL is away", async () => {
    const dir = await temporaryDir();
    const identity = await node("kept", KEY, dir);
    assert.equal(await identity.kept(), null);
    const { isStranger: _, ...claimed } = await identity.claim(database.pool);
    assert.deepEqual(await (await node("kept", KEY, dir)).kept(), claimed);
  });

  it("tells a node whose SECRET_KEY is not the others'", async () => {
    const stranger = await node("stranger", `${KEY}!`);
    assert.equal((await stranger.claim(database.pool)).isStranger, true);
    const without = await node("without", null);
    assert.equal((await without.claim(database.pool)).isStranger, true);
  });

  it("is a secret that the database keeps where no node has a SECRET_KEY", async () => {
    const { pool } = await createTestDatabase();
    const dir = await temporaryDir();
    const [first, second] = [await node("first", null, dir), await node("second", null)];
    const [a, b] = [await first.claim(pool), await second.claim(pool)];
    assert.deepEqual(a.key, b.key);
    assert.deepEqual([a.isStranger, b.isStranger], [false, false]);
    assert.deepEqual((await (await node("first", null, dir)).kept())?.key, a.key);
  });

  it("gives a number again that its node has not asked for in a week, and no other", async () => {
    const { pool } = await createTestDatabase();
    assert.equal(await claimNodeNumber(pool, "gone", 2), 0);
    assert.equal(await claimNodeNumber(pool, "there", 2), 1);
    await assert.rejects(claimNodeNumber(pool, "new", 2), /all 2 node numbers are in use/);
    await pool.query(
      "update journal_positions set updated_at = now() - interval '8 days' where node_id = 'gone'",
    );
    assert.equal(await claimNodeNumber(pool, "new", 2), 0);
    assert.equal(await claimNodeNumber(pool, "there", 2), 1);
    await assert.rejects(claimNodeNumber(pool, "gone", 2), /all 2 node numbers are in use/);
  });
});
