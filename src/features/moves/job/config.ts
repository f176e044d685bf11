import type { ClientBase } from "pg";
import { MOVE_TUNING } from "../../../domain/vocabulary/tuning/moves.js";
import { columnsOf, copyPages, primaryKeyOf, readPage, storeRows, together, type Ends } from "./rows.js";
import { CONFIG_TABLES, type ConfigTable } from "./tables.js";

const SNAPSHOT = "begin isolation level repeatable read read only";

/** Copies what is administered. Reads one snapshot of the old cell, and writes one transaction in the new cell. */
export async function copyConfig(ends: Ends): Promise<void> {
  const { source, target } = ends;
  await together(
    source,
    () =>
      together(target, async () => {
        await copyWorkspace(ends);
        await copyPeople(ends);
        const changed = [];
        for (const table of CONFIG_TABLES) if (await differs(ends, table)) changed.push(table);
        // Rows that refer to others are removed before those rows, and added after them.
        for (const table of changed.toReversed()) if (!table.isReferenced) await removeAll(ends, table);
        for (const table of changed)
          await (table.isReferenced ? mergeRows(ends, table) : addRows(ends, table));
        for (const table of changed.toReversed()) if (table.isReferenced) await removeMissing(ends, table);
      }),
    SNAPSHOT,
  );
}

/** Copies the row of the workspace without its status. Each cell has a status of its own. */
async function copyWorkspace({ source, target, workspaceId }: Ends): Promise<void> {
  const columns = await columnsOf(source, "workspaces", ["status"]);
  const { rows } = await readPage(source, {
    columns,
    table: "workspaces",
    where: "workspace_id = $1",
    values: [workspaceId],
    key: ["workspace_id"],
    limit: 1,
  });
  await storeRows(target, "workspaces", columns, rows, { key: ["workspace_id"], action: "update" });
}

/** The tables of what a person has besides memberships. */
const OF_PEOPLE = ["one_time_codes", "oidc_identities", "email_tokens"] as const;

/**
 * Copies the members with their passwords and codes. A person who is a member of another workspace in the new cell is
 * not changed.
 */
async function copyPeople({ source, target, workspaceId }: Ends): Promise<void> {
  const columns = await columnsOf(source, "users", ["is_platform_admin"]);
  const members = "user_id in (select user_id from memberships where workspace_id = $1)";
  const read = async (table: string, of: readonly string[]) =>
    (
      await source.query<{ rows: string }>(
        `select coalesce(json_agg(row_to_json(t)), '[]')::text as rows
         from (select ${of.join(", ")} from ${table} where ${members}) t`,
        [workspaceId],
      )
    ).rows[0]?.rows ?? "[]";
  // This statement takes no parameters. The id is safe in its text, because it consists of hexadecimal digits.
  await target.query(
    `create temp table people_who_stay on commit drop as
       select user_id from memberships where workspace_id <> '${workspaceId}'`,
  );
  await storeRows(target, "users", columns, await read("users", columns), {
    key: ["user_id"],
    action: "update where users.user_id not in (select user_id from people_who_stay)",
  });
  for (const table of OF_PEOPLE) {
    const own = await columnsOf(source, table);
    await target.query(
      `delete from ${table} where user_id in (
         select user_id from json_populate_recordset(null::users, $1::json)
         except select user_id from people_who_stay)`,
      [await read("users", ["user_id"])],
    );
    const names = own.join(", ");
    await target.query(
      `insert into ${table} (${names}) select ${names} from json_populate_recordset(null::${table}, $1::json)
       where user_id not in (select user_id from people_who_stay)`,
      [await read(table, own)],
    );
  }
}

/** Two cells have the same rows if their fingerprints are equal. */
async function fingerprint(client: ClientBase, workspaceId: string, of: ConfigTable): Promise<string> {
  const columns = (await columnsOf(client, of.table, of.without)).join(", ");
  const { rows } = await client.query<{ text: string }>(
    `select concat(count(*), ' ', sum(hashtextextended(t::text, 0)::numeric)) as text
     from (select ${columns} from ${of.table} where workspace_id = $1 and ${of.where ?? "true"}) t`,
    [workspaceId],
  );
  return rows[0]?.text ?? "";
}

async function differs({ source, target, workspaceId }: Ends, of: ConfigTable): Promise<boolean> {
  return (await fingerprint(source, workspaceId, of)) !== (await fingerprint(target, workspaceId, of));
}

async function removeAll({ target, workspaceId }: Ends, { table }: ConfigTable): Promise<void> {
  await target.query(`delete from ${table} where workspace_id = $1`, [workspaceId]);
}

async function addRows(ends: Ends, { table, where, without }: ConfigTable): Promise<void> {
  await copyPages(ends, table, await columnsOf(ends.source, table, without), where);
}

const incoming = (table: string): string => `incoming_${table}`;

/**
 * Updates rows to which other tables refer, without deleting them first. A temporary table collects their keys, so that
 * `removeMissing` finds the rows that the old cell no longer has.
 */
async function mergeRows(ends: Ends, { table, where, without }: ConfigTable): Promise<void> {
  const { source, target, workspaceId, signal } = ends;
  const columns = await columnsOf(source, table, without);
  const key = await primaryKeyOf(source, table);
  await target.query(
    `create temp table ${incoming(table)} on commit drop as select ${key.join(", ")} from ${table} where false`,
  );
  const [, own = ""] = key;
  const type = table === "merchants" ? "text" : "uuid";
  for (let last: string | null = null; ;) {
    signal?.throwIfAborted();
    const page = await readPage(source, {
      columns,
      table,
      where: `workspace_id = $1 and ${where ?? "true"} and ($2::${type} is null or ${own} > $2::${type})`,
      values: [workspaceId, last],
      key: [own],
      limit: MOVE_TUNING.rowsAtOnce,
    });
    if (page.last === null) return;
    await storeRows(target, table, columns, page.rows, { key, action: "update" });
    await target.query(
      `insert into ${incoming(table)} select ${key.join(", ")} from json_populate_recordset(null::${table}, $1::json)`,
      [page.rows],
    );
    last = page.last[0] ?? null;
  }
}

async function removeMissing({ target, workspaceId }: Ends, { table, where }: ConfigTable): Promise<void> {
  const [workspace = "", own = ""] = await primaryKeyOf(target, table);
  await target.query(
    `delete from ${table} where ${workspace} = $1 and ${where ?? "true"}
       and ${own} not in (select ${own} from ${incoming(table)})`,
    [workspaceId],
  );
}
