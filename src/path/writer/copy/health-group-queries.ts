import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import type { ByteRange } from "../../../platform/bytes/byte-range.js";
import type { TransactionStep } from "../../../platform/postgres/copy-transaction.js";
import type { AnyConnection } from "../../../platform/postgres/tenant-db.js";

/** A health group that decisions used, with the hash of its content. A journal record has this shape. */
export interface HealthGroupRow {
  /** 16 bytes. */
  hash: ByteRange;
  /** UTF-8 JSON, as path/document/decision-document.ts writes it. */
  content: ByteRange;
}

/**
 * This quality halves a group of five providers (954 → 485 bytes) in 25 µs. PostgreSQL compresses no value below 2 KB.
 */
const OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
/** Bounds the memory for decompressing a row that this service did not write. */
const CONTENT_BYTES_MAX = 2 ** 20;

/**
 * Stores each group one time, even if several nodes have it. Values are literals of hexadecimal digits, because COPY
 * has no conflict clause. They are in the order of their hashes, so that two nodes with the same groups cannot
 * deadlock. RET-16: a group that is stored again is marked as used, at most twice a day.
 */
export function storeHealthGroups(groups: readonly HealthGroupRow[]): TransactionStep {
  const byHash = new Map(groups.map(({ hash, content }) => [hash.toString("hex"), content]));
  const values = [...byHash]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([hash, content]) => `('\\x${hash}','\\x${compress(content).toString("hex")}')`);
  return {
    name: "health_views",
    sql: `insert into health_views (content_hash, content) values ${values.join(",")}
      on conflict (content_hash) do update set last_seen_at = excluded.last_seen_at
      where health_views.last_seen_at < now() - interval '12 hours'`,
  };
}

/** Finds the contents of stored groups. `names` and the keys of the result are hashes in base64url. */
export async function findHealthGroups(
  client: AnyConnection,
  names: readonly string[],
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  const { rows } = await client.query<{ content_hash: Buffer; content: Buffer }>({
    name: "find_health_groups",
    text: "select content_hash, content from health_views where content_hash = any($1::bytea[])",
    values: [names.map((name) => Buffer.from(name, "base64url"))],
  });
  return new Map(
    rows.map(({ content_hash, content }) => [content_hash.toString("base64url"), decompress(content)]),
  );
}

function compress({ source, start, end }: ByteRange): Buffer {
  return brotliCompressSync(source.subarray(start, end), OPTIONS);
}

function decompress(content: Buffer): string {
  return brotliDecompressSync(content, { maxOutputLength: CONTENT_BYTES_MAX }).toString("utf8");
}
