import type { SchemaElement } from "hyparquet";
import type { ClientBase } from "pg";
import type { ArchivedValue } from "./row-hash.js";

/**
 * The name of the table in statements. The select list has text of the same names as the key's columns, and a bare name
 * in `order by` would mean that text. No index has it, so every page would sort all rows that are left.
 */
export const ARCHIVED = "archived";

/** How a table's rows are read and written. */
export interface TableShape {
  columns: readonly SchemaElement[];
  /** The expressions of the select list, in the order of `columns`. */
  select: string;
  /** The primary key of the table ARCHIVED: its columns, and a condition for the rows behind a key whose values are `keyOf`. */
  orderBy: string;
  isBehind: string;
  keyOf(row: readonly unknown[]): unknown[];
  /** Converts the driver's values to Parquet's. */
  valuesOf(row: readonly unknown[]): ArchivedValue[];
}

interface ColumnForm {
  element: Omit<SchemaElement, "name">;
  select(column: string): string;
  value(given: unknown): ArchivedValue;
}

const asIs = (column: string): string => column;
const STRING = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;
const text = (select: (column: string) => string): ColumnForm => ({
  element: STRING,
  select,
  value: (given) => given as string,
});
const INTEGER: ColumnForm = { element: { type: "INT32" }, select: asIs, value: (given) => given as number };
const BIGINT: ColumnForm = {
  element: { type: "INT64" },
  select: asIs,
  value: (given) => BigInt(given as string),
};

const FORMS: Readonly<Record<string, ColumnForm>> = {
  text: text(asIs),
  uuid: text((column) => `${column}::text`),
  smallint: INTEGER,
  integer: INTEGER,
  bigint: BIGINT,
  bytea: { element: { type: "BYTE_ARRAY" }, select: asIs, value: (given) => given as Uint8Array },
  // PostgreSQL stores microseconds, but a JavaScript Date has only milliseconds.
  "timestamp with time zone": {
    element: { type: "INT64", converted_type: "TIMESTAMP_MICROS" },
    select: (column) => `(extract(epoch from ${column}) * 1000000)::bigint`,
    value: BIGINT.value,
  },
};

/** RET-10: reads the columns from the database's catalog, so that a new column is archived too. */
export async function readTableShape(client: ClientBase, table: string): Promise<TableShape> {
  const { rows } = await client.query<{ name: string; type: string; key_at: number | null }>(
    `select a.attname as name, format_type(a.atttypid, null) as type, array_position(i.indkey::int2[], a.attnum) as key_at
     from pg_attribute a join pg_index i on i.indrelid = a.attrelid and i.indisprimary
     where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped
     order by a.attnum`,
    [table],
  );
  const columns = rows.map(({ name, type }) => {
    const form = FORMS[type];
    if (form === undefined) throw new Error(`a column of type ${type} cannot be archived yet`);
    return { name, form };
  });
  const key = rows
    .map(({ name, type, key_at }, at) => ({ name: `"${name}"`, type, keyAt: key_at ?? -1, at }))
    .filter(({ keyAt }) => keyAt >= 0)
    .toSorted((a, b) => a.keyAt - b.keyAt);
  const orderBy = key.map(({ name }) => `${ARCHIVED}.${name}`).join(", ");
  return {
    columns: columns.map(({ name, form }) => ({ name, ...form.element, repetition_type: "OPTIONAL" })),
    select: columns.map(({ name, form }) => form.select(`"${name}"`)).join(", "),
    orderBy,
    isBehind: `(${orderBy}) > (${key.map(({ type }, at) => `$${at + 1}::${type}`).join(", ")})`,
    keyOf: (row) => key.map(({ at }) => row[at]),
    valuesOf: (row) => columns.map(({ form }, at) => (row[at] === null ? null : form.value(row[at]))),
  };
}
