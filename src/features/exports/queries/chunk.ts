import { idToHex } from "../../../domain/ids/ids.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";

/** A piece of a file. */
export interface Chunk {
  rawOffset: number;
  rawBytes: number;
  /** Compressed, except for Parquet. */
  content: Buffer;
}

/** Finds the piece that contains the byte at `offset` of a file. Null if the file was deleted. */
export async function findChunk(
  db: TenantConnection,
  workspaceId: string,
  exportId: string,
  offset: number,
): Promise<Chunk | null> {
  const { rows } = await db.query<{ raw_offset: string; raw_bytes: number; content: Buffer }>(
    `select raw_offset, raw_bytes, content from export_chunks
     where workspace_id = $1 and export_id = $2 and raw_offset <= $3
     order by raw_offset desc limit 1`,
    [idToHex(workspaceId), idToHex(exportId), offset],
  );
  const [row] = rows;
  return row === undefined
    ? null
    : { rawOffset: Number(row.raw_offset), rawBytes: row.raw_bytes, content: row.content };
}
