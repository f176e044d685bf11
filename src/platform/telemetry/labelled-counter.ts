import { LabelSets, type Labels } from "./label-sets.js";
import type { RegistrableMetric } from "./registrable-metric.js";

/**
 * A Prometheus counter with one child per label set. It is faster than prom-client's counter; BucketHistogram says why.
 */
export interface CounterChild {
  add(amount: number): void;
}

interface Child extends CounterChild {
  value: number;
}

export class LabelledCounter {
  private readonly children = new LabelSets<Child>();

  constructor(
    readonly name: string,
    readonly help: string,
  ) {}

  child(labels: Labels = {}): CounterChild {
    return this.children.findOrMake(labels, () => {
      const child: Child = {
        value: 0,
        add(amount) {
          child.value += amount;
        },
      };
      return child;
    });
  }

  /** prom-client's registry calls this on a metric. */
  async get(): Promise<RegistrableMetric> {
    const values = Array.from(this.children.all(), ({ labels, value }) => ({ labels, value }));
    return { name: this.name, help: this.help, type: "counter", values, aggregator: "sum" };
  }

  reset(): void {
    this.children.clear();
  }
}

/**
 * Returns a function that finds or creates the child of a label set. The key may be any value that identifies the label
 * set.
 */
export function childCache<Key, Child>(make: (key: Key) => Child): (key: Key) => Child {
  const children = new Map<Key, Child>();
  return (key) => {
    let child = children.get(key);
    if (child === undefined) {
      child = make(key);
      children.set(key, child);
    }
    return child;
  };
}
