import { openConnection, type HttpConnection } from "./http-connection.js";
import { createLatencyHistogram, type LatencyHistogram } from "./latency-histogram.js";
import type { RequestSource } from "./request-source.js";

export interface LoadPlan {
  url: URL;
  connections: number;
  durationMs: number;
  /**
   * Requests a second for the open loop: evenly spaced, however fast the server is. Without it each reply triggers the
   * next request.
   */
  ratePerSecond?: number;
  /** Ends the sending early. Answers received until then still count. */
  signal?: AbortSignal;
}

export interface LoadResult {
  latency: LatencyHistogram;
  /** Replies by HTTP status. */
  statuses: Record<number, number>;
  /** Requests without a reply, by reason. */
  failures: Record<string, number>;
  replies: number;
  /** The time from the first send to the last reply. */
  elapsedMs: number;
  /** CPU of this process, user and system, during `elapsedMs`. */
  generatorCpuMs: number;
}

/** A request unanswered for this long counts as failed. */
const REPLY_TIMEOUT_MS = 10_000;

/**
 * Used in the open loop only: how long the thread may sleep before it checks the schedule again. Node's timers have a
 * grain of 1 ms, which would mean bursts of 20 requests at 20000 req/s. Polling without sleep would take a core from
 * the server.
 */
const SCHEDULE_GRAIN_MS = 0.1;
const sleepCell = new Int32Array(new SharedArrayBuffer(4));

/**
 * Runs one load and resolves when the last reply is in. In the open loop a latency counts from the moment the request
 * was due, even if no connection was free. A stall is therefore felt by every request that it delays (coordinated
 * omission, Gil Tene, "How NOT to measure latency"). The connections of the open loop take turns, because a proxy
 * answers a connection that is never used with 408 and closes it.
 */
export async function runLoad(
  plan: LoadPlan,
  source: RequestSource,
  onProgress: (elapsedMs: number, replies: number) => void = () => {},
): Promise<LoadResult> {
  const latency = createLatencyHistogram();
  const statuses: Record<number, number> = {};
  const failures: Record<string, number> = {};
  const idle: HttpConnection[] = [];
  const { ratePerSecond } = plan;
  const openLoop = ratePerSecond !== undefined;
  const intervalMs = openLoop ? 1000 / ratePerSecond : 0;
  const scheduled = openLoop ? Math.max(1, Math.floor(plan.durationMs / intervalMs)) : Infinity;
  let sent = 0;
  let replies = 0;
  let inFlight = 0;
  let beganMs = 0;
  let lastReplyMs = 0;
  let settle: () => void = () => {};
  /** Open loop only. True while the schedule is watched; false while only a reply can start it again. */
  let followsSchedule = true;

  function more(nowMs: number): boolean {
    if (plan.signal?.aborted) return false;
    return openLoop
      ? sent < scheduled && beganMs + sent * intervalMs <= nowMs
      : nowMs - beganMs < plan.durationMs;
  }
  function send(connection: HttpConnection, nowMs: number): void {
    const startMs = openLoop ? beganMs + sent * intervalMs : nowMs;
    sent++;
    inFlight++;
    connection.send(source.next(), startMs, nowMs);
  }
  function free(connection: HttpConnection, nowMs: number): void {
    inFlight--;
    if (more(nowMs)) return send(connection, nowMs);
    idle.push(connection);
    if (openLoop && !followsSchedule) followSchedule();
    if (inFlight === 0 && finished(nowMs)) settle();
  }
  function finished(nowMs: number): boolean {
    if (plan.signal?.aborted) return true;
    return openLoop ? sent >= scheduled : nowMs - beganMs >= plan.durationMs;
  }

  const connections = await Promise.all(
    Array.from({ length: plan.connections }, () =>
      openConnection(plan.url, {
        onReply(connection, status) {
          const nowMs = performance.now();
          latency.record(nowMs - connection.startMs);
          statuses[status] = (statuses[status] ?? 0) + 1;
          replies++;
          lastReplyMs = nowMs;
          free(connection, nowMs);
        },
        onFailure(connection, reason) {
          const nowMs = performance.now();
          // A failed request was not fast. Its waiting time stays in the latencies.
          latency.record(nowMs - connection.startMs);
          failures[reason] = (failures[reason] ?? 0) + 1;
          free(connection, nowMs);
        },
      }),
    ),
  );

  const cpu = process.cpuUsage();
  beganMs = performance.now();
  lastReplyMs = beganMs;
  const settled = new Promise<void>((resolve) => (settle = resolve));
  const watch = setInterval(() => {
    const nowMs = performance.now();
    onProgress(nowMs - beganMs, replies);
    for (const connection of connections) {
      if (connection.sentMs !== 0 && nowMs - connection.sentMs > REPLY_TIMEOUT_MS)
        connection.abandon("no reply in 10 s");
    }
    const overdue = nowMs - beganMs > plan.durationMs + 2 * REPLY_TIMEOUT_MS;
    // Ends when nothing is in flight and nothing is left to send, or when all connections are down.
    if (overdue || (inFlight === 0 && finished(nowMs))) settle();
  }, 100);
  if (openLoop) {
    idle.push(...connections);
    followSchedule();
  } else for (const connection of connections) send(connection, performance.now());

  function followSchedule(): void {
    const nowMs = performance.now();
    while (idle.length > 0 && more(nowMs)) send(idle.shift() as HttpConnection, nowMs);
    // Without a free connection there is nothing to send, so the loop waits for the next reply.
    followsSchedule = idle.length > 0 && !finished(nowMs);
    if (!followsSchedule) return;
    const waitMs = beganMs + sent * intervalMs - nowMs;
    if (waitMs > 2) setTimeout(followSchedule, Math.floor(waitMs) - 1);
    else {
      Atomics.wait(sleepCell, 0, 0, SCHEDULE_GRAIN_MS);
      setImmediate(followSchedule);
    }
  }

  await settled;
  clearInterval(watch);
  const used = process.cpuUsage(cpu);
  for (const connection of connections) connection.close();
  // The requests beyond `sent` were due but never sent, because the server kept every connection busy to the end.
  if (openLoop && sent < scheduled && !plan.signal?.aborted) {
    failures["never sent: no connection was free"] = scheduled - sent;
    for (let i = sent; i < scheduled; i++) latency.record(performance.now() - (beganMs + i * intervalMs));
  }
  const elapsedMs = Math.max(lastReplyMs - beganMs, openLoop ? plan.durationMs : 0.001);
  return {
    latency,
    statuses,
    failures,
    replies,
    elapsedMs,
    generatorCpuMs: (used.user + used.system) / 1000,
  };
}
