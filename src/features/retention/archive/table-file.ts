import { createHash } from "node:crypto";
import { join } from "node:path";
import type { SchemaElement } from "hyparquet";
import type { ClientBase, QueryConfig } from "pg";
import { idTimeMs, idFromHex } from "../../../domain/ids/ids.js";
import { createGroupWriter } from "../../../platform/parquet/group-writer.js";
import type { Pace } from "../../../platform/timing/pace.js";
import type { CreateFile } from "./archive-disk.js";
import { ARCHIVE_TUNING } from "./archive-tuning.js";
import type { ArchivedTable } from "./manifest.js";
import { RowHash, type ArchivedValue } from "./row-hash.js";
import { ARCHIVED, readTableShape, type TableShape } from "./table-shape.js";

const HASHED_BYTES = 262_144;

/** The rows of a table that are archived. */
export interface LeavingRows {
  /** The table's name in the archive. */
  table: string;
  /** The table or partition that has the rows. */
  from: string;
  /** The column whose ULID has the time of the row's decision. */
  idColumn: string;
  /** A SQL condition. Rows that fulfil it are archived. */
  where: string;
}

/** RET-10, RET-12: writes the rows of a table to a new file in `dir`. At most one row group is in memory. */
export async function writeTable(
  client: ClientBase,
  dir: string,
  leaving: LeavingRows,
  { create, pace }: { create: CreateFile; pace: Pace },
): Promise<ArchivedTable> {
  const shape = await readTableShape(client, leaving.table);
  const rows = async function* (): AsyncGenerator<ArchivedValue[]> {
    for await (const given of fetchRows(client, shape, leaving, pace)) yield shape.valuesOf(given);
  };
  return writeRows(dir, { ...leaving, columns: shape.columns }, rows(), create);
}

/** A table in the archive. */
export interface WrittenTable {
  table: string;
  /** The column whose ULID has the time of the row's decision. */
  idColumn: string;
  columns: readonly SchemaElement[];
}

/** Writes rows to a new file in `dir`. At most one row group is in memory. */
export async function writeRows(
  dir: string,
  written: WrittenTable,
  given: AsyncIterable<ArchivedValue[]>,
  createFile: CreateFile,
): Promise<ArchivedTable> {
  const file = `${written.table}.parquet`;
  const target = await createFile(join(dir, file));
  try {
    const hash = createHash("sha256");
    let bytes = 0;
    const write = async (part: Uint8Array): Promise<void> => {
      if (part.byteLength === 0) return;
      // A thread can only be ended between two calls, and a whole row group takes seconds on a busy host.
      for (let at = 0; at < part.byteLength; at += HASHED_BYTES)
        hash.update(part.subarray(at, at + HASHED_BYTES));
      bytes += part.byteLength;
      await target.write(part);
    };
    const { rows, minMs, maxMs } = await encodeRows(written, given, write);
    await target.sync();
    return {
      table: written.table,
      file,
      rows: rows.rows,
      bytes,
      sha256: hash.digest("hex"),
      rows_sha256: rows.hex(),
      min_time: minMs === null ? null : new Date(minMs).toISOString(),
      max_time: maxMs === null ? null : new Date(maxMs).toISOString(),
    };
  } finally {
    await target.close();
  }
}

async function encodeRows(
  { columns, idColumn }: WrittenTable,
  given: AsyncIterable<ArchivedValue[]>,
  write: (bytes: Uint8Array) => Promise<void>,
) {
  const writer = createGroupWriter(columns);
  const rows = new RowHash();
  const idAt = columns.findIndex(({ name }) => name === idColumn);
  let held: ArchivedValue[][] = columns.map(() => []);
  let heldBytes = 0;
  let minMs: number | null = null;
  let maxMs: number | null = null;
  const writeGroup = async (): Promise<void> => {
    writer.group(held);
    held = columns.map(() => []);
    heldBytes = 0;
    await write(writer.take());
  };
  for await (const row of given) {
    rows.add(row);
    for (const [at, value] of row.entries()) {
      held[at]?.push(value);
      heldBytes +=
        typeof value === "string" ? value.length : value instanceof Uint8Array ? value.byteLength : 0;
    }
    const madeAtMs = idTimeMs(idFromHex("dec", String(row[idAt])));
    minMs = Math.min(minMs ?? madeAtMs, madeAtMs);
    maxMs = Math.max(maxMs ?? madeAtMs, madeAtMs);
    if ((held[0]?.length ?? 0) >= ARCHIVE_TUNING.groupRowsMax || heldBytes >= ARCHIVE_TUNING.groupBytesMax) {
      await writeGroup();
    }
  }
  await writeGroup();
  writer.end();
  await write(writer.take());
  return { rows, minMs, maxMs };
}

/**
 * Reads rows in the order of their key, a few with each statement. No transaction stays open, because vacuum would wait
 * for it for hours. A row that is written meanwhile keeps its week from being dropped (written-since.ts).
 */
async function* fetchRows(
  client: ClientBase,
  { select, orderBy, columns, isBehind, keyOf }: TableShape,
  { from, where }: LeavingRows,
  pace: Pace,
): AsyncGenerator<unknown[]> {
  const hasDocuments = columns.some(
    ({ type, converted_type }) => type === "BYTE_ARRAY" && converted_type !== "UTF8",
  );
  const limit = hasDocuments ? ARCHIVE_TUNING.fetchDocumentRows : ARCHIVE_TUNING.fetchRows;
  const statement = (condition: string): string =>
    `select ${select} from ${from} as ${ARCHIVED} where ${condition} order by ${orderBy} limit ${limit}`;
  let asked: QueryConfig = { text: statement(where) };
  for (;;) {
    const { rows } = await client.query<unknown[]>({ ...asked, rowMode: "array" });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return;
    await pace.rest();
    asked = {
      name: `leaving_${from}`,
      text: statement(`(${where}) and ${isBehind}`),
      values: keyOf(last),
    };
  }
}
