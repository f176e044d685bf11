import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { scheduleClient, type ClientScheduling } from "../harness/client-scheduling.js";
import type { GeneratorJob, GeneratorReply } from "../client/generator.js";
import { createLatencyHistogram } from "../client/latency-histogram.js";
import type { LoadResult } from "../client/load-run.js";

/** Cleans up after a started process. Closers are called in reverse order, also after a failure or Ctrl-C. */
export type Closer = () => Promise<unknown>;

/**
 * Calls all closers, the last added first, and empties the list. A failure is reported and stops none of the others.
 */
export async function closeAll(closers: Closer[]): Promise<void> {
  for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
    await close().catch((error: Error) => process.stderr.write(`while stopping: ${error.message}\n`));
  }
}

const STOP_TIMEOUT_MS = 15_000;

export interface RowServer {
  pid: number;
  url: string;
}

/** Starts bench/rows/<name>.js. It sends `{port}` when it listens, and ends when this process disconnects. */
export async function startRowServer(
  name: string,
  closers: Closer[],
  env: NodeJS.ProcessEnv = {},
): Promise<RowServer> {
  const child = forkBench(`rows/${name}.js`, closers, env);
  const { port } = (await firstMessage(child, name)) as { port: number };
  return { pid: child.pid as number, url: `http://127.0.0.1:${port}/v1/decision` };
}

/** Resolves to the first message of a process of bench/<path>. The process ends by itself. */
export function askProcess(path: string, closers: Closer[]): Promise<unknown> {
  return firstMessage(forkBench(path, closers), path);
}

export interface Generator {
  /** The schedulings that the system refused. */
  refused: ReadonlySet<ClientScheduling>;
  run(job: GeneratorJob): Promise<LoadResult>;
}

/** One generator process for all rows, so that all rows meet the same warmed-up code. */
export function startGenerator(closers: Closer[]): Generator {
  // V8's helper threads would occupy the server's cores, and the sending thread would wait for them.
  const child = forkBench("client/generator.js", closers, {}, ["--single-threaded-gc"]);
  const pid = child.pid as number;
  let current: ClientScheduling | null = null;
  const become = (scheduling: ClientScheduling): boolean => {
    if (scheduling !== current && !scheduleClient(pid, scheduling)) return false;
    current = scheduling;
    return true;
  };
  // The order matters: where `punctual` is refused, `yielding` stays in force.
  const order: readonly ClientScheduling[] = ["punctual", "yielding"];
  const refused = new Set(order.filter((scheduling) => !become(scheduling)));
  return {
    refused,
    async run(job) {
      const wanted = job.ratePerSecond === undefined ? "yielding" : "punctual";
      if (!refused.has(wanted)) become(wanted);
      child.send(job);
      const { reply, error } = (await firstMessage(child, "generator")) as {
        reply?: GeneratorReply;
        error?: string;
      };
      if (reply === undefined) throw new Error(`the generator failed on ${job.url}: ${error}`);
      return { ...reply, latency: createLatencyHistogram(reply.latency) };
    },
  };
}

/**
 * Starts a process in its own group. A Ctrl-C at the terminal then reaches only the bench, which stops all processes in
 * order.
 */
function forkBench(
  path: string,
  closers: Closer[],
  env: NodeJS.ProcessEnv = {},
  execArgv: string[] = [],
): ChildProcess {
  const child = fork(fileURLToPath(new URL(`../${path}`, import.meta.url)), [], {
    execArgv,
    detached: true,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  closers.push(async () => {
    if (child.connected) child.disconnect();
    await stopped(child);
  });
  return child;
}

/** Waits for a child that was asked to stop, and kills it after a while. */
export async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const timeout = new AbortController();
  const exit = once(child, "exit", { signal: timeout.signal }).catch(() => undefined);
  const forced = sleep(STOP_TIMEOUT_MS, undefined, { ref: false, signal: timeout.signal }).then(
    () => child.kill("SIGKILL"),
    () => undefined,
  );
  await exit;
  timeout.abort();
  await forced;
}

async function firstMessage(child: ChildProcess, name: string): Promise<unknown> {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    return await Promise.race([
      once(child, "message", { signal }).then(([message]) => message as unknown),
      once(child, "exit", { signal }).then(([code, killer]) => {
        throw new Error(`${name} ended (${killer ?? `exit ${code}`}) before it answered`);
      }),
    ]);
  } finally {
    settled.abort();
  }
}
