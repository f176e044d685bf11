import { fork, type ChildProcess } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ownFile } from "../../../src/platform/node/own-files.js";
import { closeLater } from "../closing.js";
import { freePort } from "../machine/free-port.js";
import { temporaryDir } from "../postgres/postgres.js";
import type { ServerCommand, ServerReport } from "./messages.js";

const CHDB_DIR = process.env["CHDB_DIR"] ?? "";

/** The reason to skip tests that need ClickHouse's engine, or false. */
export const NO_CLICKHOUSE: string | false = existsSync(join(CHDB_DIR, "node_modules/chdb"))
  ? false
  : "chDB is not installed here (npm i --no-save --prefix <folder> chdb@3.4.0, and CHDB_DIR=<folder>)";

const PASSWORD = "a:b/c d";

/** ClickHouse's engine as a server. The test decides when it is up or down. */
export interface TestClickHouse {
  /** The value for ANALYTICS_URL. */
  url: string;
  rows<Row>(sql: string): Promise<Row[]>;
  /** The next insert into the table is executed and never answered. Resolves to its token once it is executed. */
  holdNextInsert(table: string): Promise<string>;
  release(): void;
  refuse(refuses: boolean): void;
  /** Holds back all queries from now on. The function that this returns resolves once so many are held back. */
  stall(): (queries: number) => Promise<void>;
  goOn(): void;
  kill(): Promise<void>;
  /** Starts the server after `kill`, on the same port and data. */
  start(): Promise<void>;
}

export async function startClickHouse(): Promise<TestClickHouse> {
  const [port, dir] = await Promise.all([freePort(), temporaryDir()]);
  const reports = new EventEmitter();
  let child: ChildProcess;
  const start = async (): Promise<void> => {
    child = fork(ownFile("test/support/clickhouse/chdb-server.js"), [CHDB_DIR, dir, String(port), PASSWORD], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    child.on("message", (report: ServerReport) => reports.emit(report.type, report));
    await once(reports, "ready");
  };
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  const send = (command: ServerCommand): void => void child.send(command);
  await start();
  closeLater(kill);
  let asking: Promise<unknown> = Promise.resolve();
  const ask = async <Row>(sql: string): Promise<Row[]> => {
    const answered = once(reports, "answer");
    send({ type: "query", sql });
    const [{ text, failure }] = (await answered) as [Extract<ServerReport, { type: "answer" }>];
    if (failure !== null) throw new Error(failure);
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Row);
  };
  return {
    url: `http://default:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/payinference`,
    rows<Row>(sql: string) {
      const asked = asking.then(() => ask<Row>(sql));
      asking = asked.catch(() => undefined);
      return asked;
    },
    async holdNextInsert(table) {
      send({ type: "hold", table });
      for (;;) {
        const [report] = (await once(reports, "inserted")) as [Extract<ServerReport, { type: "inserted" }>];
        if (report.table === table) return report.token;
      }
    },
    release: () => send({ type: "hold", table: null }),
    refuse: (refuses) => send({ type: "refuse", refuses }),
    stall() {
      let held = 0;
      reports.on("stalled", ({ queries }: Extract<ServerReport, { type: "stalled" }>) => (held = queries));
      send({ type: "stall", stalls: true });
      return async (queries) => {
        while (held < queries) await once(reports, "stalled");
      };
    },
    goOn: () => send({ type: "stall", stalls: false }),
    kill,
    start,
  };
}
