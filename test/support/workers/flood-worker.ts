import { createTrafficSource } from "../../../bench/client/request-source.js";
import { openConnection, type HttpConnection } from "../../../bench/client/http-connection.js";
import { createLatencyHistogram } from "../../../bench/client/latency-histogram.js";
import { DEFAULT_MERCHANTS, DEFAULT_PROVIDERS } from "../../../bench/client/traffic.js";

/** The message that starts a flood. The answer is a FloodReply. */
export interface FloodJob {
  /** The address of the decision endpoint. */
  url: string;
  key: string;
  connections: number;
  durationMs: number;
  /** The rate at which requests fall due, however slowly the server answers. */
  ratePerSecond: number;
}

/**
 * A latency counts from the moment its request was sent. A request that finds no free connection within BACKLOG_MS_MAX
 * of its due time is never sent.
 */
export interface FloodReply {
  sent: number;
  /** The latency percentiles of each status, in ms. */
  byStatus: Record<string, { count: number; p50Ms: number; p95Ms: number; p99Ms: number }>;
  failures: Record<string, number>;
}

const TICK_MS = 1;
const BACKLOG_MS_MAX = 20;
const LAST_REPLIES_MS = 3000;
const SEED = 7;

async function flood({ url, key, connections, durationMs, ratePerSecond }: FloodJob): Promise<FloodReply> {
  const target = new URL(url);
  const source = createTrafficSource(
    { url: target, key },
    { seed: SEED, merchants: DEFAULT_MERCHANTS, providers: DEFAULT_PROVIDERS },
    Date.now() % 1e12,
  );
  const latencies = new Map<number, ReturnType<typeof createLatencyHistogram>>();
  const failures: Record<string, number> = {};
  const idle: HttpConnection[] = [];
  const opened = await Promise.all(
    Array.from({ length: connections }, () =>
      openConnection(target, {
        onReply(connection, status) {
          let latency = latencies.get(status);
          if (latency === undefined) latencies.set(status, (latency = createLatencyHistogram()));
          latency.record(performance.now() - connection.startMs);
          idle.push(connection);
        },
        onFailure(connection, reason) {
          failures[reason] = (failures[reason] ?? 0) + 1;
          idle.push(connection);
        },
      }),
    ),
  );
  idle.push(...opened);
  let sent = 0;
  const beganMs = performance.now();
  let lastMs = beganMs;
  let owed = 0;
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const nowMs = performance.now();
      if (nowMs - beganMs > durationMs) {
        clearInterval(timer);
        return resolve();
      }
      // The backlog is short, because a merchant does not send requests later that it could not send in time.
      owed = Math.min(
        owed + (ratePerSecond * (nowMs - lastMs)) / 1000,
        (ratePerSecond * BACKLOG_MS_MAX) / 1000,
      );
      lastMs = nowMs;
      for (; owed >= 1 && idle.length > 0; owed--) {
        const sentMs = performance.now();
        (idle.pop() as HttpConnection).send(source.next(), sentMs, sentMs);
        sent++;
      }
    }, TICK_MS);
  });
  const deadlineMs = performance.now() + LAST_REPLIES_MS;
  while (idle.length < opened.length && performance.now() < deadlineMs) {
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  if (idle.length < opened.length) failures["no answer"] = opened.length - idle.length;
  for (const connection of opened) connection.close();
  const byStatus = Object.fromEntries(
    Array.from(latencies, ([status, latency]) => [
      status,
      {
        count: latency.count,
        p50Ms: latency.percentileMs(50),
        p95Ms: latency.percentileMs(95),
        p99Ms: latency.percentileMs(99),
      },
    ]),
  );
  return { sent, byStatus, failures };
}

process.on("message", (job: FloodJob) => {
  void flood(job).then((reply) => process.send?.(reply));
});
process.on("disconnect", () => process.exit(0));
