import type { LiveOutcome } from "../health/live-outcome.js";
import type { HealthMonitor, HealthTick } from "../health/monitor.js";
import { serializeSnapshots } from "../health/view.js";
import type { ReplicaWriter } from "../replica/replica.js";
import type { ProberReport } from "./messages.js";

export interface ProberActorOptions {
  monitor: HealthMonitor;
  replica: ReplicaWriter;
  intervalMs: number;
  report(report: ProberReport): void;
  /** Unix milliseconds. */
  now(): number;
}

/** Owns the clock of the health monitor: each tick's snapshots go to the replica, which every reader sees next. */
export function startProberActor(options: ProberActorOptions): {
  record(outcomes: readonly LiveOutcome[]): void;
  stop(): void;
} {
  const { monitor, replica, report } = options;
  let failing = false;
  const publish = ({ snapshots, changedStates }: HealthTick): void => {
    replica.putHealth(serializeSnapshots(snapshots));
    if (failing) report({ type: "replica", error: null });
    failing = false;
    report({
      type: "health",
      segments: snapshots.map(({ provider, segment_key, score, state }) => ({
        provider,
        segmentKey: segment_key,
        score,
        state,
      })),
      changes: changedStates,
    });
  };
  publish(monitor.warmUp(options.now()));
  report({ type: "ready" });
  const timer = setInterval(() => {
    const tick = monitor.tick(options.now());
    try {
      publish(tick);
    } catch (error) {
      // A full disk: the last snapshots stay, and windows and circuits go on in memory until there is room again.
      if (!failing) report({ type: "replica", error: String(error) });
      failing = true;
    }
  }, options.intervalMs);
  return {
    record(outcomes) {
      const nowMs = options.now();
      for (const outcome of outcomes) monitor.recordOutcome(outcome, nowMs);
    },
    stop() {
      clearInterval(timer);
      report({ type: "stopped" });
    },
  };
}
