export type Labels = Readonly<Record<string, string>>;

/**
 * The children of a metric, at most one per label set. If a series appeared twice in the text of the metrics,
 * Prometheus would drop it.
 */
export class LabelSets<Child extends object> {
  private children = new Map<string, Child & { readonly labels: Labels }>();

  findOrMake(labels: Labels, make: () => Child): Child {
    const key = JSON.stringify(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    const known = this.children.get(key);
    if (known !== undefined) return known;
    const child = Object.assign(make(), { labels });
    this.children.set(key, child);
    return child;
  }

  all(): Iterable<Child & { readonly labels: Labels }> {
    return this.children.values();
  }

  clear(): void {
    this.children.clear();
  }
}
