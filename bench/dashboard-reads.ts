import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { stopped } from "./harness/bench-processes.js";
import type { BenchService } from "./harness/bench-service.js";
import { runBesideCommand } from "./harness/beside-command.js";
import { scheduleClient } from "./harness/client-scheduling.js";
import type { ReadsJob } from "./dashboard-reader.js";

const HELP = `npm run bench:dashboard-reads -- [--rounds 7] [--seconds 5] [--rate 500] [--reads 50]

p99 of decisions at a fixed rate (open loop, timed from when each was due) alone and while a dashboard asks for so many
pages a second, by turns: first pages, the review queue, aggregates, the shadow report, a decision. Exits 1 when the
reads raise it by more than 20 %, over all rounds, 2 when the host is not quiet enough to judge.
`;

await runBesideCommand({
  name: "bench:dashboard-reads",
  help: HELP,
  disturbers: "reads",
  count: 50,
  disturb: startReading,
});

/** Starts the reader in its own process, so that its CPU time is not counted as the service's. */
async function startReading(
  service: BenchService,
  readsPerSecond: number,
): Promise<{ end(): Promise<number> }> {
  const child = fork(fileURLToPath(new URL("dashboard-reader.js", import.meta.url)));
  // Nothing measures how long the reader waits, so the reader yields to the other processes.
  scheduleClient(child.pid as number, "yielding");
  child.send({ url: new URL(service.url).origin, key: service.key, readsPerSecond } satisfies ReadsJob);
  const [began] = (await once(child, "message")) as ["began"];
  if (began !== "began") throw new Error("the reader did not begin");
  return {
    async end() {
      child.send("end");
      const [answered] = (await once(child, "message")) as [number];
      child.disconnect();
      await stopped(child);
      return answered;
    },
  };
}
