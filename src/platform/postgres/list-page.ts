import type { QueryConfig, QueryResult, QueryResultRow } from "pg";
import { idToHex } from "../../domain/ids/ids.js";
import type { Cursor } from "../http/page-query.js";

/** The page that a query asks for (platform/http/page-query.ts). */
export interface ListPage {
  pageSize: number;
  /** The row next to the page, which the page does not include. Null begins at the top of the list. */
  cursor: Cursor | null;
}

export interface ListedRows<Row> {
  rows: Row[];
  /** LIST-5: true if more rows follow in the direction of the cursor. */
  hasMore: boolean;
}

interface Listed {
  /** A select with all of its conditions, but without an order. */
  select: string;
  values: readonly unknown[];
  /** The selected column that a cursor names. */
  key: string;
  /** The selected columns that order the rows. By default the key alone. The last column must be the key. */
  order?: readonly string[];
  /** True if the row with the least key is at the top. By default the newest row is. */
  isAscending?: boolean;
  /** Converts a cursor to a key. By default the cursor is an id. */
  keyOf?(cursor: string): string;
}

interface Connection {
  query<R extends QueryResultRow>(query: string | QueryConfig, values?: unknown[]): Promise<QueryResult<R>>;
}

/** LIST-2, LIST-3: reads one page. The page is empty if no row has the cursor's key. */
export async function readListPage<Row extends QueryResultRow>(
  db: Connection,
  { select, values, key, order = [key], isAscending = false, keyOf = idToHex }: Listed,
  { pageSize, cursor }: ListPage,
): Promise<ListedRows<Row>> {
  const isBack = cursor?.kind === "newer_than";
  const isUp = isAscending !== isBack;
  const columns = order.join(", ");
  const [limit, at] = [`$${values.length + 1}`, `$${values.length + 2}`];
  // If the cursor's row is missing, the comparison is with null and selects no row.
  const beside =
    cursor === null
      ? ""
      : `where (${columns}) ${isUp ? ">" : "<"} (select ${columns} from (${select}) one where ${key} = ${at})`;
  const { rows } = await db.query<Row>(
    `select * from (${select}) listed ${beside}
     order by ${order.map((column) => `${column} ${isUp ? "asc" : "desc"}`).join(", ")} limit ${limit}`,
    [...values, pageSize + 1, ...(cursor === null ? [] : [keyOf(cursor.id)])],
  );
  const page = rows.slice(0, pageSize);
  return { rows: isBack ? page.toReversed() : page, hasMore: rows.length > pageSize };
}
