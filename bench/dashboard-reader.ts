import { setTimeout as sleep } from "node:timers/promises";
import { openConnection, type ConnectionEvents, type HttpConnection } from "./client/http-connection.js";

/**
 * The job that the parent process sends. The reader answers "began". After the message "end" it answers how many reads
 * were answered.
 */
export interface ReadsJob {
  /** The address of the service. */
  url: string;
  key: string;
  readsPerSecond: number;
}

/** The paths that the dashboard's pages request. */
const PATHS = [
  "/v1/decisions?page_size=50",
  "/v1/decisions?action=hold&unresolved=true",
  "/v1/decisions/aggregate",
  "/v1/decisions/shadow-report?days=30",
  "/v1/decisions?decision_mode=shadow&page=2&page_size=50",
] as const;

let isOver = false;

/**
 * Uses raw sockets, like the generator, because the client shares the cores with the server. With node:http a read
 * takes 1.1 ms of CPU, as much as PostgreSQL needs to answer it.
 */
async function read({ url, key, readsPerSecond }: ReadsJob): Promise<number> {
  const { host } = new URL(url);
  const requests = PATHS.map((path) => ({
    path,
    bytes: Buffer.from(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nx-api-key: ${key}\r\n\r\n`),
  }));
  const idle: HttpConnection[] = [];
  const awaited = new Map<HttpConnection, { answered(): void; failed(reason: string): void }>();
  const events: ConnectionEvents = {
    onReply(connection, status) {
      const read = awaited.get(connection);
      idle.push(connection);
      if (status === 200) read?.answered();
      else read?.failed(`was answered ${status}`);
    },
    onFailure: (connection, reason) => awaited.get(connection)?.failed(reason),
  };
  const ask = async ({ path, bytes }: (typeof requests)[number]): Promise<void> => {
    const connection = idle.pop() ?? (await openConnection(new URL(url), events));
    const reply = new Promise<void>((answered, reject) => {
      awaited.set(connection, { answered, failed: (reason) => reject(new Error(`GET ${path}: ${reason}`)) });
    });
    const nowMs = performance.now();
    connection.send(bytes, nowMs, nowMs);
    await reply;
  };
  // Warms up the connection and its code before the round begins.
  for (const request of requests) await ask(request);
  const running: Promise<void>[] = [];
  process.send?.("began");
  const beganMs = performance.now();
  for (let asked = 0; !isOver; asked++) {
    running.push(ask(requests[asked % requests.length] as (typeof requests)[number]));
    await sleep(Math.max(0, beganMs + ((asked + 1) * 1000) / readsPerSecond - performance.now()));
  }
  await Promise.all(running);
  for (const connection of awaited.keys()) connection.close();
  return running.length;
}

process.on("message", (message: ReadsJob | "end") => {
  if (message === "end") {
    isOver = true;
    return;
  }
  void read(message).then(
    (answered) => process.send?.(answered),
    (error: Error) => {
      process.stderr.write(`bench:dashboard-reads: ${error.message}\n`);
      process.exit(1);
    },
  );
});
process.on("disconnect", () => process.exit(0));
