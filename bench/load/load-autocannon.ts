import autocannon from "autocannon";
import { createLatencyHistogram } from "../client/latency-histogram.js";
import type { LoadPlan, LoadResult } from "../client/load-run.js";
import type { RequestSource } from "../client/request-source.js";

/**
 * The closed loop, by autocannon. Its own latency histogram has a grain of 1 ms, so our histogram records its
 * `response` events.
 *
 * Its `overallRate` is not used. It fires each connection's quota back to back at the top of every second. It also
 * corrects coordinated omission afterwards with an expected interval of ceil(1 / rate), in seconds where the latencies
 * are in milliseconds (autocannon 9.0.0, lib/run.js `onResponse`). Any reply over 1 ms then adds invented samples.
 * load-run.ts handles rates.
 */
export async function runAutocannon(
  plan: LoadPlan,
  source: RequestSource,
  onProgress: (elapsedMs: number, replies: number) => void = () => {},
): Promise<LoadResult> {
  const latency = createLatencyHistogram();
  const statuses: Record<number, number> = {};
  const failures: Record<string, number> = {};
  let sent = 0;
  let replies = 0;
  const cpu = process.cpuUsage();
  const beganMs = performance.now();
  let lastReplyMs = beganMs;

  await new Promise<void>((resolve, reject) => {
    const instance = autocannon(
      {
        url: plan.url.href,
        method: "POST",
        connections: plan.connections,
        duration: plan.durationMs / 1000,
        // autocannon ends at the first sample after `duration`, so samples are frequent.
        sampleInt: 100,
        setupClient(client) {
          // Without this each connection would walk its own copy of one list, and order ids would repeat.
          Object.assign(client, {
            getRequestBuffer() {
              sent++;
              return source.next();
            },
          });
        },
      },
      (error: Error | null) => (error === null ? resolve() : reject(error)),
    );
    instance.on("response", (_client, status, _bytes, responseTimeMs) => {
      latency.record(responseTimeMs);
      statuses[status] = (statuses[status] ?? 0) + 1;
      replies++;
      lastReplyMs = performance.now();
    });
    instance.on("reqError", (error: Error) => {
      failures[error.message] = (failures[error.message] ?? 0) + 1;
    });
    const progress = setInterval(() => onProgress(performance.now() - beganMs, replies), 100);
    const stop = (): void => instance.stop();
    plan.signal?.addEventListener("abort", stop);
    instance.on("done", () => {
      clearInterval(progress);
      plan.signal?.removeEventListener("abort", stop);
    });
  });

  // autocannon silently reconnects when the server closes a connection. At the end each connection still has one
  // request under way.
  const accounted = Object.values(failures).reduce((sum, count) => sum + count, replies);
  if (sent - accounted > plan.connections) {
    failures["the connection was closed"] = sent - accounted - plan.connections;
  }
  const used = process.cpuUsage(cpu);
  return {
    latency,
    statuses,
    failures,
    replies,
    elapsedMs: Math.max(lastReplyMs - beganMs, 0.001),
    generatorCpuMs: (used.user + used.system) / 1000,
  };
}
