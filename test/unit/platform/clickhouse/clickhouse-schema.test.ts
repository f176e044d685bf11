import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { statementsOf } from "../../../../src/platform/clickhouse/migrate-clickhouse.js";
import { ROOT } from "../../../house/tree.js";

const DIR = join(ROOT, "clickhouse/migrations");

describe("ClickHouse's schema", () => {
  it("CH-7: each statement changes nothing the second time, since ClickHouse has no transactions", () => {
    for (const file of readdirSync(DIR)) {
      assert.match(file, /^\d{4}_\w+\.sql$/);
      const statements = statementsOf(readFileSync(join(DIR, file), "utf8"));
      assert.ok(statements.length > 0, file);
      for (const statement of statements)
        assert.match(
          statement.replaceAll(/^--.*$/gm, "").trim(),
          /^(?:create|alter|drop) .*\bif (?:not )?exists\b/,
        );
    }
  });

  it("CH-3: each table remembers the tokens of its inserts", () => {
    const tables = readdirSync(DIR)
      .flatMap((file) => statementsOf(readFileSync(join(DIR, file), "utf8")))
      .filter((statement) => statement.includes("create table"));
    for (const table of tables) assert.match(table, /non_replicated_deduplication_window = 10000$/);
  });
});
