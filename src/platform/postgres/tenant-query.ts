import pg, {
  type ClientBase,
  type Connection,
  type QueryConfig,
  type QueryResult,
  type QueryResultRow,
} from "pg";

const SET_WORKSPACE = {
  name: "set_workspace",
  text: "select set_config('payinference.workspace_id', $1, true), set_config('payinference.kept', $2, true)",
};

/** Run this one time per connection, before its first tenant query. */
export async function prepareTenantQueries(client: ClientBase): Promise<void> {
  await client.query({ ...SET_WORKSPACE, values: ["", ""] });
}

/** Functions of `Query` that node-postgres calls, but that its types lack. */
interface QueryMessages {
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}

/**
 * Runs one statement of one workspace in one round trip. The messages that set the workspace are sent before the
 * statement's own messages. All messages before the common Sync form one implicit transaction, and the setting ends
 * with it ("Message Flow" › "Extended Query" in the PostgreSQL protocol). `settings` are the workspace, in 32 digits,
 * and the retention limits (migrations/0024_retention.sql).
 */
export function runTenantQuery<R extends QueryResultRow>(
  client: ClientBase,
  settings: readonly [workspaceHex: string, kept: string],
  config: string | QueryConfig,
  values?: unknown[],
): Promise<QueryResult<R>> {
  return new Promise((resolve, reject) => {
    const query = new pg.Query<R>(
      // A simple query would run in its own transaction, in which the workspace is not set.
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
      connection.bind({ portal: "", statement: SET_WORKSPACE.name, values: [...settings] }, true);
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
