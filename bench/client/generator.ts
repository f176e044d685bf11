import { readFile } from "node:fs/promises";
import { runLoad, type LoadResult } from "../client/load-run.js";
import { createRecordedSource, createTrafficSource, type RequestSource } from "../client/request-source.js";
import { createSpreadSource, type Spread } from "../client/spread-source.js";
import { DEFAULT_MERCHANTS, DEFAULT_PROVIDERS } from "../client/traffic.js";

/**
 * The bench's load generator, a process of its own. Raw sockets, because what the generator uses on a small machine
 * it takes from the server: on two cores, 64 connections, bare row, CPU a request was 6.8–8.5 µs here, 6.9 µs for
 * wrk (not on every machine) and 13–14 µs for autocannon, which cannot drive the bare row to its limit.
 */
export interface GeneratorJob {
  url: string;
  key: string;
  connections: number;
  durationMs: number;
  ratePerSecond?: number;
  /** Bodies to send in turn, a line each, instead of decision requests. */
  recordedFile?: string;
  /** Whose decisions, instead of the demo merchant's; `key` is not sent then. */
  spread?: Spread;
}

/** A LoadResult that can cross a process boundary. */
export type GeneratorReply = Omit<LoadResult, "latency"> & { latency: string };

const SEED = 20_260_701;

/** Order ids go on counting over all runs on one server. */
const sources = new Map<string, RequestSource>();

function trafficOf({ url, key, spread }: GeneratorJob): RequestSource {
  const name = spread === undefined ? `${url} ${key}` : `${url} spread ${spread.seed}`;
  const source =
    sources.get(name) ??
    (spread === undefined
      ? createTrafficSource(
          { url: new URL(url), key },
          { seed: SEED, merchants: DEFAULT_MERCHANTS, providers: DEFAULT_PROVIDERS },
        )
      : createSpreadSource(new URL(url), spread));
  sources.set(name, source);
  return source;
}

async function recorded({ url, key }: GeneratorJob, file: string): Promise<RequestSource> {
  const bodies = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
  return createRecordedSource({ url: new URL(url), key }, bodies);
}

async function work(job: GeneratorJob): Promise<GeneratorReply> {
  const url = new URL(job.url);
  const source = job.recordedFile === undefined ? trafficOf(job) : await recorded(job, job.recordedFile);
  const plan = {
    url,
    connections: job.connections,
    durationMs: job.durationMs,
    ...(job.ratePerSecond === undefined ? {} : { ratePerSecond: job.ratePerSecond }),
  };
  const result = await runLoad(plan, source);
  return { ...result, latency: result.latency.encode() };
}

process.on("message", (job: GeneratorJob) => {
  void work(job).then(
    (reply) => process.send?.({ reply }),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.on("disconnect", () => process.exit(0));
