import { Gauge, type Registry } from "prom-client";

export interface HealthGauge {
  provider: string;
  segmentKey: string;
  score: number;
  state: string;
}

/**
 * Score and state of each segment, of which the result takes the newest. They go into the gauges when these are read: they
 * come once a second, and are read four times a minute.
 */
export function createHealthGauges(registry: Registry): (segments: readonly HealthGauge[]) => void {
  let shown: readonly HealthGauge[] = [];
  const score = new Gauge({
    name: "payinference_provider_health_score",
    help: "Provider health score, 0 to 100, by segment.",
    labelNames: ["provider", "segment"],
    registers: [],
    collect() {
      for (const { provider, segmentKey, score } of shown) this.set({ provider, segment: segmentKey }, score);
    },
  });
  const state = new Gauge({
    name: "payinference_provider_health_state",
    help: "1 for the state a segment is in.",
    labelNames: ["provider", "segment", "state"],
    registers: [],
    collect() {
      this.reset();
      for (const { provider, segmentKey, state } of shown)
        this.set({ provider, segment: segmentKey, state }, 1);
    },
  });
  registry.registerMetric(score);
  registry.registerMetric(state);
  return (segments) => {
    shown = segments;
  };
}
