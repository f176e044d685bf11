/** The series of a Prometheus text exposition: for each metric and each of its labels, the set of values. */
export type MetricSeries = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

const SAMPLE = /^([a-z_:][a-z0-9_:]*)(?:\{(.*)\})? \S+$/i;
const LABEL = /([a-z_]+)="((?:[^"\\]|\\.)*)"/g;

export function readMetricSeries(exposition: string): MetricSeries {
  const series = new Map<string, Map<string, Set<string>>>();
  for (const line of exposition.split("\n")) {
    const [, name = "", labels = ""] = SAMPLE.exec(line) ?? [];
    if (name === "") continue;
    const known = series.get(name) ?? new Map<string, Set<string>>();
    series.set(name, known);
    for (const [, label = "", value = ""] of labels.matchAll(LABEL)) {
      known.set(label, (known.get(label) ?? new Set()).add(value));
    }
  }
  return series;
}
