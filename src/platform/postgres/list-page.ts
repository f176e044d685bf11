import type { QueryConfig, QueryResult, QueryResultRow } from "pg";
import { idToHex } from "../../domain/ids/ids.js";
import type { Cursor } from "../http/page-query.js";

/** The page that a query asks for (platform/http/page-query.ts). */
export interface ListPage {
  pageSize: number;
  /** The row beside the page. The page does not include it. Null begins at the list's top. */
  cursor: Cursor | null;
}

export interface ListedRows<Row> {
  rows: Row[];
  /** LIST-5: in the direction walked. */
  hasMore: boolean;
}

interface Listed {
  /** A select with all of its conditions and no order. */
  select: string;
  values: readonly unknown[];
  /** The selected column that a cursor names. */
  key: string;
  /** The selected columns that order the rows, where ids do not. The last of them is the key. */
  order?: readonly string[];
  /** True for a list whose top has the least key. By default the newest is at the top. */
  isAscending?: boolean;
  /** The key's value for a cursor. By default the cursor is an id. */
  keyOf?(cursor: string): string;
}

interface Connection {
  query<R extends QueryResultRow>(query: string | QueryConfig, values?: unknown[]): Promise<QueryResult<R>>;
}

/** LIST-2, LIST-3: reads one page. It is empty when the list has no row with the cursor's key. */
export async function readListPage<Row extends QueryResultRow>(
  db: Connection,
  { select, values, key, order = [key], isAscending = false, keyOf = idToHex }: Listed,
  { pageSize, cursor }: ListPage,
): Promise<ListedRows<Row>> {
  const isBack = cursor?.kind === "newer_than";
  const isUp = isAscending !== isBack;
  const columns = order.join(", ");
  const [limit, at] = [`$${values.length + 1}`, `$${values.length + 2}`];
  // A missing row has no rows beside it.
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
