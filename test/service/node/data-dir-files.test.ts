import assert from "node:assert/strict";
import { lstat, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { nodeId } from "../../../src/platform/node/data-dir.js";
import { ownSecretKey } from "../../../src/platform/node/secret-key.js";
import { ensureDemo } from "../../../src/composition/demo.js";
import { createTestDatabase, temporaryDir } from "../../support/postgres/postgres.js";
import { newId } from "../../support/people/tenants.js";

const nextId = (): string => newId("ws").slice("ws_".length);

describe("files created once in DATA_DIR stay", () => {
  it("HOOK-14: an unreadable secret key is not replaced, because stored secrets would be lost", async () => {
    const dir = await temporaryDir();
    const path = join(dir, "secret-key");
    // A link to itself simulates a disk error or a missing mount.
    await symlink(path, path);
    await assert.rejects(ownSecretKey(dir), { code: "ELOOP" });
    assert.equal((await lstat(path)).isSymbolicLink(), true);
  });

  it("a start killed during a write leaves nothing that disturbs the next one", async () => {
    const dir = await temporaryDir();
    await Promise.all([writeFile(join(dir, "demo.json"), ""), writeFile(join(dir, "secret-key"), "")]);
    const { pool } = await createTestDatabase();
    const demo = await ensureDemo(pool, dir, nextId);
    assert.deepEqual(JSON.parse(await readFile(join(dir, "demo.json"), "utf8")), demo);
    assert.deepEqual(await ensureDemo(pool, dir, nextId), demo);
    assert.notEqual(await ownSecretKey(dir), "");
  });

  it("a demo workspace with an unreadable file is not created again at each attempt", async () => {
    const dir = await temporaryDir();
    await symlink("demo.json", join(dir, "demo.json"));
    const { pool } = await createTestDatabase();
    await assert.rejects(ensureDemo(pool, dir, nextId), { code: "ELOOP" });
    const { rows } = await pool.query<{ count: number }>("select count(*)::int as count from workspaces");
    assert.equal(rows[0]?.count, 0);
  });

  it("a node keeps its id", async () => {
    const dir = await temporaryDir();
    const made = await nodeId(dir, nextId);
    assert.equal(await nodeId(dir, nextId), made);
  });
});
