import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { ServerCommand, ServerReport } from "./messages.js";

/*
 * A server for ClickHouse's engine: chDB in this process behind the part of ClickHouse's HTTP interface that
 * `@clickhouse/client` uses. Arguments: the folder with `node_modules/chdb`, the data folder, the port, the password.
 */

interface Session {
  query(sql: string, format?: string): string;
  insert(rows: {
    table: string;
    columns?: readonly string[];
    values: Buffer;
    format: string;
    settings: Readonly<Record<string, string>>;
  }): Promise<unknown>;
}

const [chdbDir = "", dataDir = "", port = "0", password = ""] = process.argv.slice(2);
const { Session } = createRequire(join(chdbDir, "package.json"))("chdb") as {
  Session: new (path: string) => Session;
};
const session = new Session(dataDir);
session.query("create database if not exists payinference engine = Atomic");
session.query("use payinference");

const say = (report: ServerReport): void => void process.send?.(report);
/** The table whose inserts are executed and not answered. Null if all inserts are answered. */
let held: string | null = null;
let refuses = false;

const INSERT = /^\s*insert into (\w+)\s*(?:\(([^)]*)\))?\s*format (\w+)\s*$/i;
/** Parameters of the request that are settings of the insert. */
const SETTINGS = ["insert_deduplication_token"];

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://localhost");
  const body = await buffer(request);
  if (url.pathname === "/ping") return void response.end("Ok.\n");
  if (!isKnown(request, password)) return refuse(response, 516, "AUTHENTICATION_FAILED", 403);
  if (url.searchParams.get("database") !== "payinference")
    return refuse(response, 81, "UNKNOWN_DATABASE", 404);
  if (refuses) return refuse(response, 202, "TOO_MANY_SIMULTANEOUS_QUERIES", 500);
  const asked = url.searchParams.get("query");
  const insert = INSERT.exec(asked ?? "");
  if (insert === null) {
    const sql = asked === null ? body.toString() : `${asked}\n${body.toString()}`;
    setParameters(url.searchParams);
    return void response.end(session.query(sql));
  }
  const [, table = "", columns, format = ""] = insert;
  const settings = SETTINGS.flatMap((name) => {
    const value = url.searchParams.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  await session.insert({
    table,
    ...(columns === undefined
      ? {}
      : { columns: columns.split(",").map((name) => name.trim().replaceAll("`", "")) }),
    values: body,
    format,
    settings: Object.fromEntries(settings),
  });
  say({ type: "inserted", table, token: url.searchParams.get("insert_deduplication_token") ?? "" });
  if (held !== table) response.end();
}

/** A query's own parameters come as `param_<name>`. */
function setParameters(search: URLSearchParams): void {
  for (const [name, value] of search) {
    if (name.startsWith("param_")) session.query(`set ${name} = '${value.replaceAll(/[\\']/g, "\\$&")}'`);
  }
}

function isKnown({ headers }: IncomingMessage, expected: string): boolean {
  const [, basic = ""] = /^Basic (.*)$/.exec(headers.authorization ?? "") ?? [];
  return (
    Buffer.from(basic, "base64")
      .toString()
      .replace(/^[^:]*:/, "") === expected
  );
}

function refuse(response: ServerResponse, code: number, type: string, status: number): void {
  response.writeHead(status, { "x-clickhouse-exception-code": String(code) });
  response.end(`Code: ${code}. DB::Exception: refused. (${type}) (version of chDB)`);
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: Error) => {
    const message = error.message.replace(/^.*?Code:/s, "Code:");
    response.writeHead(400, { "x-clickhouse-exception-code": /Code: (\d+)/.exec(message)?.[1] ?? "1002" });
    response.end(message);
  });
});
server.listen(Number(port), "127.0.0.1", () => say({ type: "ready" }));

process.on("message", (command: ServerCommand) => {
  if (command.type === "hold") held = command.table;
  if (command.type === "refuse") refuses = command.refuses;
  // The session is used directly, so that a test can read the data while requests are refused.
  if (command.type === "query") {
    try {
      say({ type: "answer", text: session.query(command.sql, "JSONEachRow"), failure: null });
    } catch (error) {
      say({ type: "answer", text: "", failure: String(error) });
    }
  }
});
process.on("disconnect", () => process.exit());
