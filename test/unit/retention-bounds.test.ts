import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { it } from "node:test";

const ROOT = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");

/** Returns the first group of every match of `pattern` in `text`, sorted. */
const found = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, name = ""]) => name).toSorted();

it("RET-17: the contract names the bound of each table, and of no other", () => {
  const migrations = readdirSync(new URL("migrations", ROOT)).map((name) => read(`migrations/${name}`));
  const tables = found(migrations.join("\n"), /^create table (\w+) \(/gm);
  const clause = read("docs/contract/retention.md").split("**RET-17**")[1]?.split("**RET-18**")[0] ?? "";
  assert.ok(tables.length > 60);
  assert.deepEqual(found(clause, /`(\w+)`/g), tables);
});
