import type { MetricValue } from "prom-client";

/** The members that prom-client's registry needs from a metric that is not one of its own. */
export interface RegistrableMetric {
  name: string;
  help: string;
  type: "counter" | "histogram";
  values: (MetricValue<string> & { metricName?: string })[];
  aggregator: "sum";
}
