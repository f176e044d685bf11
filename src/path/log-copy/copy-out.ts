import { once } from "node:events";
import type { Pool } from "pg";
import { to as copyTo, type CopyToStreamQuery } from "pg-copy-streams";

/** Rows as lines, in a format that PostgreSQL's COPY writes and ClickHouse's TabSeparated reads. */
export interface CopiedRows {
  rows: number;
  bytes: Buffer;
}

export const NO_ROWS: CopiedRows = { rows: 0, bytes: Buffer.alloc(0) };

/** pg sets `callback` to end the query's timeout. The stream never calls it. */
type TimedQuery = CopyToStreamQuery & { callback?: () => void };

/**
 * Reads the rows of a query as the lines that PostgreSQL writes, without parsing any cell. COPY takes no parameters, so
 * build `sql` only from constants, `uuid` and `uuids`.
 */
export async function copyOut(pool: Pool, sql: string): Promise<CopiedRows> {
  const client = await pool.connect();
  const query: TimedQuery = copyTo(`copy (${sql}) to stdout`);
  // pg may report a broken connection more than once. Without a listener the second report would end the thread.
  query.on("error", () => undefined);
  let isReusable = false;
  try {
    client.query(query);
    const pieces: Buffer[] = [];
    query.on("data", (piece: Buffer) => pieces.push(piece));
    await once(query, "end");
    isReusable = true;
    const bytes = Buffer.concat(pieces);
    return { rows: linesIn(bytes), bytes };
  } finally {
    query.callback?.();
    client.release(!isReusable);
  }
}

const NEW_LINE = 0x0a;

/** Counts the lines. Line feeds inside a cell are escaped, so they do not count. */
function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEW_LINE); at >= 0; at = bytes.indexOf(NEW_LINE, at + 1)) lines++;
  return lines;
}

const UUID = /^[\da-f-]{32,36}$/;

/** Returns a UUID as an SQL constant. Throws a TypeError if the text is not a UUID. */
export function uuid(text: string): string {
  if (!UUID.test(text)) throw new TypeError("not a UUID");
  return `'${text}'::uuid`;
}

export function uuids(texts: readonly string[]): string {
  if (!texts.every((text) => UUID.test(text))) throw new TypeError("not UUIDs");
  return `'{${texts.join()}}'::uuid[]`;
}
