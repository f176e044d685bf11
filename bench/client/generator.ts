import { readFile } from "node:fs/promises";
import { runLoad, type LoadResult } from "../client/load-run.js";
import { createRecordedSource, createTrafficSource, type RequestSource } from "../client/request-source.js";
import { createSpreadSource, type Spread } from "../client/spread-source.js";
import { DEFAULT_MERCHANTS, DEFAULT_PROVIDERS } from "../client/traffic.js";

/**
 * The bench's load generator, in its own process. It uses raw sockets, because on a small machine its CPU time is
 * taken from the server. Measured on two cores with 64 connections and the bare row, a request takes 6.8–8.5 µs of
 * CPU here. It takes 6.9 µs in wrk, which not every machine has. It takes 13–14 µs in autocannon, which cannot drive
 * the bare row to its limit.
 */
export interface GeneratorJob {
  url: string;
  key: string;
  connections: number;
  durationMs: number;
  ratePerSecond?: number;
  /** The file of recorded bodies, one a line. They are sent in turn instead of generated requests. */
  recordedFile?: string;
  /** Sends decisions of these merchants instead of the demo merchant's. `key` is then unused. */
  spread?: Spread;
}

/** A LoadResult in a form that can be sent to another process. */
export type GeneratorReply = Omit<LoadResult, "latency"> & { latency: string };

const SEED = 20_260_701;

/** One source for each server and key, so that order ids continue over all runs. */
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
