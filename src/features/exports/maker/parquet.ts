import { schemaFromColumnData, type BasicType } from "hyparquet-writer";
import { createGroupWriter } from "../../../platform/parquet/group-writer.js";
import { EXPORT_TUNING } from "../queries/export-tuning.js";
import type { Column, ColumnType } from "./columns.js";
import type { Encoder } from "./encoder.js";

const TYPES: Readonly<Record<ColumnType, BasicType>> = {
  text: "STRING",
  word: "STRING",
  integer: "INT64",
  number: "DOUBLE",
  time: "TIMESTAMP",
};

/** EXP-7: each row group is written once it is full, so only one is in memory. */
export function createParquetEncoder(columns: readonly Column[]): Encoder {
  const [, ...schema] = schemaFromColumnData({
    columnData: columns.map(({ name, type }) => ({ name, data: [], type: TYPES[type] })),
  });
  const writer = createGroupWriter(schema);
  let held: unknown[][] = columns.map(() => []);
  const writeGroup = (): void => {
    writer.group(held);
    held = columns.map(() => []);
  };
  return {
    begin: writer.take,
    rows(texts) {
      for (const text of texts) {
        const row = JSON.parse(text) as never;
        for (const [at, column] of columns.entries()) held[at]?.push(valueOf(column, row));
        if ((held[0]?.length ?? 0) >= EXPORT_TUNING.rowGroupRows) writeGroup();
      }
      return writer.take();
    },
    end() {
      writeGroup();
      writer.end();
      return writer.take();
    },
  };
}

function valueOf({ type, of }: Column, row: never): string | number | bigint | Date | null {
  const value = of(row);
  if (value === null) return null;
  if (type === "integer") return BigInt(value);
  return type === "time" ? new Date(value) : value;
}
