import type { MetricValue } from "prom-client";

/** What prom-client's registry reads of a metric that is not one of its own. */
export interface RegistrableMetric {
  name: string;
  help: string;
  type: "counter" | "histogram";
  values: (MetricValue<string> & { metricName?: string })[];
  aggregator: "sum";
}
