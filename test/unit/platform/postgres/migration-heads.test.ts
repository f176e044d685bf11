import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  MigrationHeadError,
  readMigrationHead,
  readMigrationHeads,
} from "../../../../src/platform/postgres/migration-heads.js";
import { MIGRATIONS_DIR } from "../../../support/postgres/postgres.js";

describe("the first line of a migration", () => {
  it("NODE-6: says in each file whether running nodes survive it; the files are numbered from 1 without a gap", async () => {
    const heads = await readMigrationHeads(MIGRATIONS_DIR);
    assert.ok(heads.length > 0);
    assert.deepEqual(
      heads.map(({ id }) => id),
      Array.from(heads, (_, index) => index + 1),
    );
    for (const { file } of heads) assert.match(file, /^\d{4}_[a-z_]+\.sql$/);
  });

  for (const word of ["survive", "breaking"] as const) {
    it(`NODE-6: is read: ${word}`, () => {
      assert.deepEqual(
        readMigrationHead("0042_plums.sql", `-- running nodes: ${word}, since it is a test.\nselect 1;\n`),
        { id: 42, file: "0042_plums.sql", runningNodes: word },
      );
    });
  }

  for (const [what, sql] of [
    ["is missing", "select 1;\n"],
    ["gives no reason", "-- running nodes: survive\nselect 1;\n"],
    ["has another word", "-- running nodes: perhaps, since it is a test.\nselect 1;\n"],
    ["comes second", "-- Plums.\n-- running nodes: survive, since it is a test.\nselect 1;\n"],
  ] as const) {
    it(`NODE-6: is refused in one line that names the file where it ${what}`, () => {
      assert.throws(
        () => readMigrationHead("0042_plums.sql", sql),
        (error: Error) =>
          error instanceof MigrationHeadError && /^0042_plums\.sql must [^\n]+$/.test(error.message),
      );
    });
  }
});
