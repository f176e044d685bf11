import { Query } from "../../platform/http/query.js";
import { readTablePage, TABLE_PAGE_PARAMETERS, type TablePage } from "../../platform/http/table-page.js";
import type { IntegerParameter } from "../../platform/wire/query-schema.js";
import type { PublicRoute } from "./route.js";

interface PublicTable {
  path: string;
  /** The pattern of the rows' ids, which are the cursors. */
  idPattern: string;
  pageSize: IntegerParameter;
  /**
   * Resolves to the answer's body. Load the table inside this function and not when the service starts, because such
   * tables are rarely requested.
   */
  load(page: TablePage): Promise<object>;
}

/** A route for a table that the code contains. It is public, because the table has nothing about a tenant. */
export function publicTableRoute({ path, idPattern, pageSize, load }: PublicTable): PublicRoute {
  const id = new RegExp(idPattern);
  return {
    method: "GET",
    path,
    access: "public",
    query: TABLE_PAGE_PARAMETERS,
    async handle(exchange) {
      const query = new Query(exchange.head.query);
      const page = readTablePage(query, id, pageSize);
      if (query.issues.length > 0) return exchange.fail({ kind: "invalid", issues: query.issues });
      exchange.send(200, JSON.stringify(await load(page)));
    },
  };
}
