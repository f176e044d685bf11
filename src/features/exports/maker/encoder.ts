import type { ExportFormat, ExportKind } from "../../../domain/vocabulary/vocabulary.js";
import { COLUMNS, type Column } from "./columns.js";
import { csvHeader, csvRow } from "./csv.js";

/** Makes the bytes of a file from rows. Each row is the JSON text of a row of the list. */
export interface Encoder {
  begin(): Uint8Array;
  rows(texts: readonly string[]): Uint8Array;
  end(): Uint8Array;
}

const NOTHING = new Uint8Array();

export async function createEncoder(format: ExportFormat, kind: ExportKind): Promise<Encoder> {
  const columns: readonly Column[] = COLUMNS[kind];
  switch (format) {
    case "csv":
      return {
        begin: () => Buffer.from(csvHeader(columns)),
        rows: (texts) =>
          Buffer.from(texts.map((text) => csvRow(columns, JSON.parse(text) as never)).join("")),
        end: () => NOTHING,
      };
    case "ndjson":
      return {
        begin: () => NOTHING,
        rows: (texts) => Buffer.from(texts.map((text) => `${text}\n`).join("")),
        end: () => NOTHING,
      };
    case "parquet": {
      // Most exports are text files, so the Parquet library is loaded only here.
      const { createParquetEncoder } = await import("./parquet.js");
      return createParquetEncoder(columns);
    }
  }
}
