import assert from "node:assert/strict";
import { describe, it } from "node:test";
import pg from "pg";
import { migrate } from "../../../src/platform/postgres/migrate.js";
import { TENANT_ROLE, TenantRoleError } from "../../../src/platform/postgres/tenant-role.js";
import {
  createEmptyDatabase,
  createPlainUser,
  MIGRATIONS_DIR,
  SILENT_LOG,
  temporaryDir,
} from "../../support/postgres/postgres.js";
import { startTestPostgres } from "../../support/postgres/postgres-server.js";

describe("the role of tenant queries", () => {
  it("one line asks for a superuser if the user of DATABASE_URL may not create it", async () => {
    const user = await createPlainUser();
    const { url, pool } = await createEmptyDatabase(user.name);
    await assert.rejects(migrate(url, MIGRATIONS_DIR), (error) => {
      assert.ok(error instanceof TenantRoleError);
      assert.equal(
        error.message,
        `the user of DATABASE_URL lacks CREATEROLE; have a superuser run: grant ${TENANT_ROLE} to "${user.name}"`,
      );
      return true;
    });
    await user.asAdmin(`grant ${TENANT_ROLE} to "${user.name}"`);
    await migrate(url, MIGRATIONS_DIR);
    const { rows } = await pool.query("select count(*)::int as count from workspaces");
    assert.deepEqual(rows, [{ count: 0 }]);
  });

  it("is not used if it is a member of the tables' owner and would see everything", async () => {
    const user = await createPlainUser();
    const { url } = await createEmptyDatabase(user.name);
    await user.asAdmin(`grant "${user.name}" to ${TENANT_ROLE}`);
    await assert.rejects(migrate(url, MIGRATIONS_DIR), (error) => {
      assert.ok(error instanceof TenantRoleError);
      assert.match(error.message, /must not be a member of the database's user/);
      return true;
    });
  });

  it("TEN-3: is no superuser, cannot log in and owns nothing", async () => {
    const { url, pool } = await createEmptyDatabase();
    await migrate(url, MIGRATIONS_DIR);
    const { rows } = await pool.query(
      `select rolsuper or rolbypassrls or rolcanlogin or rolcreaterole as powerful,
              (select count(*)::int from pg_class where relowner = r.oid) as owned
       from pg_roles r where rolname = $1`,
      [TENANT_ROLE],
    );
    assert.deepEqual(rows, [{ powerful: false, owned: 0 }]);
  });

  it("is created once by many starters on many databases of one server", async () => {
    const server = await startTestPostgres({ dataDir: await temporaryDir(), log: SILENT_LOG });
    const admin = new pg.Client({ connectionString: server.adminUrl });
    try {
      await admin.connect();
      await admin.query(`drop role ${TENANT_ROLE}`);
      await admin.query("alter role payinference createrole");
      const names = ["one", "two", "three", "four", "five"];
      for (const name of names) await admin.query(`create database ${name} owner payinference`);
      const starters = names.flatMap((name) => [name, name, name, name]);
      await Promise.all(
        starters.map((name) => migrate(server.url.replace("/payinference?", `/${name}?`), MIGRATIONS_DIR)),
      );
      const { rows } = await admin.query("select count(*)::int as count from pg_roles where rolname = $1", [
        TENANT_ROLE,
      ]);
      assert.deepEqual(rows, [{ count: 1 }]);
    } finally {
      await admin.end();
      await server.stop();
    }
  });
});
