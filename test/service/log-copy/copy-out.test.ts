import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { copyOut, uuid, uuids } from "../../../src/path/log-copy/copy-out.js";
import { createPool } from "../../../src/platform/postgres/pool.js";
import { closeLater } from "../../support/closing.js";
import { createTestDatabase, type TestDatabase } from "../../support/postgres/postgres.js";

const ID = "01a21d8e-f097-05dd-3b18-72b386697f04";

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});

describe("rows as the lines that PostgreSQL writes", () => {
  it("CH-2: a row is one line, whatever its cells hold", async () => {
    const { rows, bytes } = await copyOut(
      database.pool,
      String.raw`select ${uuid(ID)} = any(${uuids([ID])}), null, E'tab\t line\n back\\slash é' from generate_series(1, 2)`,
    );
    const line = String.raw`t` + "\t" + String.raw`\N` + "\t" + String.raw`tab\t line\n back\\slash é`;
    assert.deepEqual([rows, bytes.toString()], [2, `${line}\n${line}\n`]);
    assert.throws(() => uuid("'; drop table decisions"), TypeError);
    assert.throws(() => uuids([ID, "}"]), TypeError);
  });

  it("CH-6: a query that is refused rejects, and its time limit does not end the thread afterwards", async () => {
    const statementTimeoutMs = 200;
    const pool = createPool({
      connectionString: database.url,
      connectionsMax: 1,
      statementTimeoutMs,
      applicationName: "test",
    });
    closeLater(() => pool.end());
    await assert.rejects(copyOut(pool, "select 1 / 0"), { code: "22012" });
    await assert.rejects(copyOut(pool, "select pg_sleep(1)"), { code: "57014" });
    // The pool's own time limit is a second longer than the server's. The test outlasts it, because its timer must not
    // fire.
    await sleep(statementTimeoutMs + 1100);
  });
});

describe("notes of feedback outside of batches", () => {
  const noted = async (): Promise<number> => {
    await database.pool.query("delete from log_copy_feedback");
    await database.pool.query("select note_feedback(array[$1::uuid], array[0::smallint], array[$1::uuid])", [
      ID,
    ]);
    return (await database.pool.query("select from log_copy_feedback")).rowCount ?? 0;
  };

  it("CH-21: there are none unless the log was stored or copied for ClickHouse in the last seven days", async () => {
    const { pool } = database;
    assert.equal(await noted(), 0);
    await pool.query(
      "insert into log_copy_lanes (node_id, leased_by, leased_until) values ('a', 'a', now() - interval '8 days')",
    );
    assert.equal(await noted(), 0);
    await pool.query("update log_copy_lanes set leased_until = now() - interval '6 days'");
    assert.equal(await noted(), 1);
  });
});
