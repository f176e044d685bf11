import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** What the parent asks for; answered with "began", and on "end" with the number of reads answered. */
export interface ReadsJob {
  /** Of the service. */
  url: string;
  key: string;
  readsPerSecond: number;
}

/** What the dashboard's pages ask for. */
const PATHS = [
  "/v1/decisions?page_size=50",
  "/v1/decisions?action=hold&unresolved=true",
  "/v1/decisions/aggregate?range=24h",
  "/v1/decisions/shadow-report?range=30d",
  "/v1/decisions?decision_mode=shadow&page=2&page_size=50",
] as const;

let isOver = false;

async function read({ url, key, readsPerSecond }: ReadsJob): Promise<number> {
  const headers = { "x-api-key": key };
  const agent = new Agent({ keepAlive: true });
  const running: Promise<void>[] = [];
  let answered = 0;
  const ask = async (path: string): Promise<void> => {
    // Not fetch, which takes six times the CPU: what asks shares the cores with what answers.
    const asked = get(url + path, { agent, headers });
    const [reply] = (await once(asked, "response")) as [IncomingMessage];
    reply.resume();
    await once(reply, "end");
    if (reply.statusCode !== 200) throw new Error(`GET ${path} was answered ${reply.statusCode}`);
    answered++;
  };
  // The connection and its code are warm before the round begins.
  for (const path of PATHS) await ask(path);
  answered = 0;
  process.send?.("began");
  const beganMs = performance.now();
  for (let asked = 0; !isOver; asked++) {
    running.push(ask(PATHS[asked % PATHS.length] as string));
    await sleep(Math.max(0, beganMs + ((asked + 1) * 1000) / readsPerSecond - performance.now()));
  }
  await Promise.all(running);
  agent.destroy();
  return answered;
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
