import assert from "node:assert/strict";
import { cp, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import type { Pool } from "pg";
import {
  claimNodeNumber,
  giveBackNodeNumber,
} from "../../../src/path/decide/identity/node-identity-queries.js";
import { LivingNodesError } from "../../../src/platform/postgres/living-nodes.js";
import { migrate } from "../../../src/platform/postgres/migrate.js";
import {
  createEmptyDatabase,
  createTestDatabase,
  MIGRATIONS_DIR,
  temporaryDir,
} from "../../support/postgres/postgres.js";

const NUMBERS = 256;

let breaking: string;
let surviving: string;
before(async () => {
  breaking = await newerMigrations("breaking");
  surviving = await newerMigrations("survive");
});

/** This version's migrations plus one, which creates the table `plums`. */
async function newerMigrations(runningNodes: string): Promise<string> {
  const dir = join(await temporaryDir(), "migrations");
  await cp(MIGRATIONS_DIR, dir, { recursive: true });
  const number = String((await readdir(dir)).length + 1).padStart(4, "0");
  await writeFile(
    join(dir, `${number}_plums.sql`),
    `-- running nodes: ${runningNodes}, since it is a test.\ncreate table plums ();\n`,
  );
  return dir;
}

async function hasRun(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ known: boolean }>("select to_regclass('plums') is not null as known");
  return rows[0]?.known === true;
}

const seenBefore = (pool: Pool, nodeId: string, minutes: number) =>
  pool.query(
    "update journal_positions set updated_at = now() - make_interval(mins => $2) where node_id = $1",
    [nodeId, minutes],
  );

const claim = (pool: Pool, nodeId: string) => claimNodeNumber(pool, nodeId, NUMBERS, 0);

describe("a migration that running nodes do not survive", () => {
  it("NODE-6: is refused in one line while such a node is alive, and runs after the node has released its number", async () => {
    const { url, pool } = await createTestDatabase();
    await claim(pool, "pod-1");
    await claim(pool, "pod-2");
    await assert.rejects(migrate(url, breaking), (error: Error) => {
      assert.ok(error instanceof LivingNodesError);
      assert.match(
        error.message,
        /^the migration \d{4}_plums\.sql breaks running nodes [^\n]*\b2 may be alive \(pod-2, seen \d+ s ago; pod-1, seen \d+ s ago\): stop them, [^\n]+$/,
      );
      return true;
    });
    await giveBackNodeNumber(pool, "pod-1");
    await assert.rejects(migrate(url, breaking), / 1 may be alive \(pod-2, seen \d+ s ago\)/);
    assert.equal(await hasRun(pool), false);
    await giveBackNodeNumber(pool, "pod-2");
    await migrate(url, breaking);
    assert.equal(await hasRun(pool), true);
  });

  it("NODE-6: runs when the node was silent for ten minutes, and not before", async () => {
    const { url, pool } = await createTestDatabase();
    await claim(pool, "pod-1");
    await seenBefore(pool, "pod-1", 9);
    await assert.rejects(migrate(url, breaking), LivingNodesError);
    await seenBefore(pool, "pod-1", 11);
    await migrate(url, breaking);
    assert.equal(await hasRun(pool), true);
  });

  it("NODE-6: is not refused because of the starting node's own state before it was killed", async () => {
    const { url, pool } = await createTestDatabase();
    await claim(pool, "pod-1");
    await assert.rejects(migrate(url, breaking, "pod-2"), LivingNodesError);
    await migrate(url, breaking, "pod-1");
    assert.equal(await hasRun(pool), true);
  });

  it("NODE-6: names the nodes seen last, at most three", async () => {
    const { url, pool } = await createTestDatabase();
    for (const [node, minutes] of [
      ["a", 4],
      ["b", 3],
      ["c", 2],
      ["d", 1],
    ] as const) {
      await claim(pool, node);
      await seenBefore(pool, node, minutes);
    }
    await assert.rejects(
      migrate(url, breaking),
      / 4 may be alive \(d, seen \d+ s ago; c, seen \d+ s ago; b, seen \d+ s ago; …\)/,
    );
  });

  it("NODE-6: is not refused once it has run, nor on an empty database", async () => {
    const { url, pool } = await createEmptyDatabase();
    await migrate(url, breaking);
    assert.equal(await hasRun(pool), true);
    await claim(pool, "pod-1");
    await migrate(url, breaking, "pod-2");
  });
});

describe("a migration that running nodes survive", () => {
  it("NODE-6: runs while they are alive", async () => {
    const { url, pool } = await createTestDatabase();
    await claim(pool, "pod-1");
    await migrate(url, surviving);
    assert.equal(await hasRun(pool), true);
  });
});
