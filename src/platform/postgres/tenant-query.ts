import pg, {
  type ClientBase,
  type Connection,
  type QueryConfig,
  type QueryResult,
  type QueryResultRow,
} from "pg";

const SET_WORKSPACE = {
  name: "set_workspace",
  text: "select set_config('payinference.workspace_id', $1, true)",
};

/** Once per connection, before its first tenant query. */
export async function prepareTenantQueries(client: ClientBase): Promise<void> {
  await client.query({ ...SET_WORKSPACE, values: [""] });
}

/** What node-postgres calls on its own `Query` while that is the active one; left out of its types. */
interface QueryMessages {
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}

/**
 * One statement of one workspace in one round trip: the messages that set the workspace travel in front of its own, and
 * up to the common Sync all is one implicit transaction, at whose end the setting is gone ("Message Flow" › "Extended
 * Query" in the PostgreSQL protocol). `workspaceHex`: 32 digits.
 */
export function runTenantQuery<R extends QueryResultRow>(
  client: ClientBase,
  workspaceHex: string,
  config: string | QueryConfig,
  values?: unknown[],
): Promise<QueryResult<R>> {
  return new Promise((resolve, reject) => {
    const query = new pg.Query<R>(
      // A simple query would be a transaction of its own.
      { ...(typeof config === "string" ? { text: config } : config), ...EXTENDED },
      values,
      (error, result) => (error ? reject(error) : resolve(result)),
    );
    const messages = query as unknown as QueryMessages;
    const { submit } = query;
    const handleDataRow = messages.handleDataRow.bind(query);
    const handleCommandComplete = messages.handleCommandComplete.bind(query);
    let isSet = false;
    query.submit = (connection) => {
      connection.stream.cork();
      connection.bind({ portal: "", statement: SET_WORKSPACE.name, values: [workspaceHex] }, true);
      connection.execute({ portal: "" }, true);
      const refused = submit.call(query, connection);
      connection.stream.uncork();
      return refused;
    };
    messages.handleDataRow = (message) => {
      if (isSet) handleDataRow(message);
    };
    messages.handleCommandComplete = (message, connection) => {
      if (isSet) handleCommandComplete(message, connection);
      isSet = true;
    };
    client.query(query);
  });
}

const EXTENDED = { queryMode: "extended" } as object;
