import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { parquetMetadataAsync, parquetRead, type AsyncBuffer, type SchemaElement } from "hyparquet";
import { NO_REST, type Pace } from "../../../platform/timing/pace.js";
import { ArchiveError, type ArchivedTable } from "./manifest.js";
import { RowHash, type ArchivedValue } from "./row-hash.js";

/** RET-11: reads a table's file, and compares its size, its number of rows and both hashes with the manifest. */
export async function assertReadsBack(
  partDir: string,
  table: ArchivedTable,
  pace: Pace = NO_REST,
): Promise<void> {
  const path = join(partDir, table.file);
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).byteLength;
    await pace.rest();
  }
  if (bytes !== table.bytes) throw new ArchiveError(`${table.file} has ${bytes} bytes, not ${table.bytes}`);
  if (hash.digest("hex") !== table.sha256) throw new ArchiveError(`${table.file} has another SHA-256`);
  const rows = new RowHash();
  for await (const row of readRows(path, pace)) rows.add(row);
  if (rows.rows !== table.rows)
    throw new ArchiveError(`${table.file} has ${rows.rows} rows, not ${table.rows}`);
  if (rows.hex() !== table.rows_sha256) throw new ArchiveError(`${table.file} has other rows`);
}

const PARSERS = {
  timestampFromMicroseconds: (value: bigint): bigint => value,
};

/** Yields the rows of a file. It reads one row group at a time. */
export async function* readRows(path: string, pace: Pace = NO_REST): AsyncGenerator<ArchivedValue[]> {
  const { size, read, close } = await openBuffer(path);
  try {
    const file: AsyncBuffer = { byteLength: size, slice: read };
    const metadata = await parquetMetadataAsync(file);
    let rowStart = 0;
    for (const { num_rows } of metadata.row_groups) {
      const rowEnd = rowStart + Number(num_rows);
      let group: unknown[][] = [];
      await parquetRead({
        file,
        metadata,
        rowStart,
        rowEnd,
        // Documents are bytes, so they must not be decoded as text.
        utf8: false,
        parsers: PARSERS,
        rowFormat: "array",
        onComplete: (rows) => (group = rows as unknown[][]),
      });
      for (const row of group) yield row.map((value) => (value ?? null) as ArchivedValue);
      rowStart = rowEnd;
      await pace.rest();
    }
  } finally {
    await close();
  }
}

/**
 * Returns the columns as the file has them. Another version of the service may have written the file with other
 * columns.
 */
export async function readColumns(path: string): Promise<SchemaElement[]> {
  const { size, read, close } = await openBuffer(path);
  try {
    const { schema } = await parquetMetadataAsync({ byteLength: size, slice: read });
    return schema.slice(1).map(({ name, type, converted_type, repetition_type }) => ({
      name,
      ...(type === undefined ? {} : { type }),
      ...(converted_type === undefined ? {} : { converted_type }),
      ...(repetition_type === undefined ? {} : { repetition_type }),
    }));
  } finally {
    await close();
  }
}

async function openBuffer(path: string) {
  const handle = await open(path, "r");
  const { size } = await handle.stat();
  const read = async (start: number, end = size): Promise<ArrayBuffer> => {
    const bytes = new Uint8Array(end - start);
    const { bytesRead } = await handle.read(bytes, 0, bytes.byteLength, start);
    return bytes.buffer.slice(0, bytesRead);
  };
  return { size, read, close: () => handle.close() };
}
