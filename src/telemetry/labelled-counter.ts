import type { RegistrableMetric } from "./registrable-metric.js";

/** A Prometheus counter with one kept child per label set; see BucketHistogram for why. */
export interface CounterChild {
  add(amount: number): void;
}

export class LabelledCounter {
  private children: { labels: Readonly<Record<string, string>>; value: number }[] = [];

  constructor(
    readonly name: string,
    readonly help: string,
  ) {}

  child(labels: Readonly<Record<string, string>> = {}): CounterChild {
    const child = { labels, value: 0 };
    this.children.push(child);
    return {
      add(amount) {
        child.value += amount;
      },
    };
  }

  /** What prom-client's registry asks of a metric. */
  async get(): Promise<RegistrableMetric> {
    const values = this.children.map(({ labels, value }) => ({ labels, value }));
    return { name: this.name, help: this.help, type: "counter", values, aggregator: "sum" };
  }

  reset(): void {
    this.children = [];
  }
}

/** Finds or makes the child of a label set; the key is anything that tells label sets apart. */
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
