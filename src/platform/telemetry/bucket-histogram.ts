import type { MetricValue } from "prom-client";
import { LabelSets, type Labels } from "./label-sets.js";
import type { RegistrableMetric } from "./registrable-metric.js";

/**
 * A Prometheus histogram whose `observe` is one array increment. prom-client hashes the labels at every `observe`. With
 * this class, the caller creates one child per label set and keeps it.
 */
export interface HistogramChild {
  observe(value: number): void;
}

interface Child extends HistogramChild {
  counts: Float64Array;
  sum: number;
}

export class BucketHistogram {
  readonly type = "histogram";
  private readonly children = new LabelSets<Child>();

  constructor(
    readonly name: string,
    readonly help: string,
    private readonly bounds: readonly number[],
  ) {}

  child(labels: Labels): HistogramChild {
    return this.children.findOrMake(labels, () => this.makeChild());
  }

  private makeChild(): Child {
    const { bounds } = this;
    const counts = new Float64Array(bounds.length + 1);
    const child: Child = {
      counts,
      sum: 0,
      observe(value) {
        let bucket = 0;
        while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket++;
        counts[bucket] = (counts[bucket] as number) + 1;
        child.sum += value;
      },
    };
    return child;
  }

  /** prom-client's registry calls this on a metric. */
  async get(): Promise<RegistrableMetric> {
    const values: (MetricValue<string> & { metricName: string })[] = [];
    for (const { labels, counts, sum } of this.children.all()) {
      let total = 0;
      for (const [index, bound] of this.bounds.entries()) {
        total += counts[index] as number;
        values.push({ labels: { ...labels, le: bound }, value: total, metricName: `${this.name}_bucket` });
      }
      total += counts[this.bounds.length] as number;
      values.push({ labels: { ...labels, le: "+Inf" }, value: total, metricName: `${this.name}_bucket` });
      values.push({ labels, value: sum, metricName: `${this.name}_sum` });
      values.push({ labels, value: total, metricName: `${this.name}_count` });
    }
    return { name: this.name, help: this.help, type: "histogram", values, aggregator: "sum" };
  }

  reset(): void {
    this.children.clear();
  }
}
