import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ClickHouse } from "./clickhouse.js";

const MIGRATIONS = `create table if not exists migrations (name String, applied_at DateTime default now())
  engine = MergeTree order by name`;

/**
 * Brings ClickHouse to the schema of `dir`. Its files (NNNN_name.sql) are applied in order, statement by statement.
 * ClickHouse has no transactions, so write each statement such that repeating it changes nothing. Never run this twice
 * at the same time.
 */
export async function migrateClickHouse(clickHouse: ClickHouse, dir: string): Promise<void> {
  await clickHouse.command(MIGRATIONS);
  const applied = new Set(
    (await clickHouse.rows<{ name: string }>("select name from migrations")).map(({ name }) => name),
  );
  for (const file of (await readdir(dir)).filter((name) => name.endsWith(".sql")).toSorted()) {
    const name = file.slice(0, -".sql".length);
    if (applied.has(name)) continue;
    for (const statement of statementsOf(await readFile(join(dir, file), "utf8"))) {
      await clickHouse.command(statement);
    }
    await clickHouse.insert("migrations", ["name"], Buffer.from(`${name}\n`), `migration ${name}`);
  }
}

/** Splits SQL into statements. Each must end with `;` at the end of a line. */
export function statementsOf(sql: string): string[] {
  return sql
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement.replaceAll(/^--.*$/gm, "").trim() !== "");
}
