import type { MetricValue } from "prom-client";

/** The members that prom-client's registry reads of a metric of another class. */
export interface RegistrableMetric {
  name: string;
  help: string;
  type: "counter" | "histogram";
  values: (MetricValue<string> & { metricName?: string })[];
  aggregator: "sum";
}
