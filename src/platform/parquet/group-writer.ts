import type { SchemaElement } from "hyparquet";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";

/** Makes the bytes of a Parquet file, one row group at a time. At most one group is in memory. */
export interface GroupWriter {
  /** Appends a row group: the values of each column. */
  group(columns: readonly (readonly unknown[])[]): void;
  end(): void;
  /** The bytes since the last call. */
  take(): Uint8Array;
}

/** Creates a writer. `columns` does not contain the schema's root, which is added here. */
export function createGroupWriter(columns: readonly SchemaElement[]): GroupWriter {
  const out = new ByteWriter();
  const schema = [{ name: "root", num_children: columns.length }, ...columns];
  const writer = new ParquetWriter({ writer: out, schema, createdBy: "payinference" });
  return {
    group(data) {
      const rows = data[0]?.length ?? 0;
      if (rows === 0) return;
      void writer.write({
        columnData: columns.map(({ name }, at) => ({ name, data: [...(data[at] ?? [])] })),
        rowGroupSize: rows,
      });
    },
    end: () => void writer.finish(),
    take() {
      const bytes = out.getBytes().slice();
      // Drops the bytes that were taken. `out.offset` still counts them, so positions in the file stay correct.
      out.index = 0;
      return bytes;
    },
  };
}
