import {
  build,
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  JsHistogram,
  type Histogram,
} from "hdr-histogram-js";

/**
 * The latencies of one run, with 3 significant digits (HdrHistogram). They are stored in microseconds and reported in
 * milliseconds.
 */
export interface LatencyHistogram {
  record(ms: number): void;
  /** Adds all that another histogram has recorded. */
  add(other: LatencyHistogram): void;
  /** 0 when nothing was recorded. */
  percentileMs(percentile: number): number;
  readonly maxMs: number;
  readonly count: number;
  /** Buckets from the first to the last with a count. Each upper bound is `factor` times the one before. */
  buckets(factor: number): Array<{ fromMs: number; toMs: number; count: number }>;
  /** Encodes the histogram for another process. */
  encode(): string;
}

const MICROSECONDS_MAX = 600_000_000;
/**
 * Latencies below this are counted in an array first, because the histogram computes logarithms. They are moved into
 * the histogram when it is read.
 */
const COUNTED_MICROSECONDS = 1 << 15;

export function createLatencyHistogram(encoded?: string): LatencyHistogram {
  const histogram = encoded === undefined ? emptyHistogram() : decoded(encoded);
  const counted = new Uint32Array(COUNTED_MICROSECONDS);
  let hasCounted = false;
  const complete = (): JsHistogram => {
    if (!hasCounted) return histogram;
    counted.forEach((count, microseconds) => {
      if (count > 0) histogram.recordValueWithCount(microseconds, count);
    });
    counted.fill(0);
    hasCounted = false;
    return histogram;
  };
  return {
    record(ms) {
      const microseconds = Math.max(1, Math.round(ms * 1000));
      if (microseconds < COUNTED_MICROSECONDS) {
        counted[microseconds] = (counted[microseconds] as number) + 1;
        hasCounted = true;
      } else histogram.recordValue(Math.min(MICROSECONDS_MAX, microseconds));
    },
    add(other) {
      complete().add(decoded(other.encode()));
    },
    percentileMs(percentile) {
      const { totalCount } = complete();
      return totalCount === 0 ? 0 : histogram.getValueAtPercentile(percentile) / 1000;
    },
    get maxMs() {
      const { totalCount, maxValue } = complete();
      return totalCount === 0 ? 0 : maxValue / 1000;
    },
    get count() {
      return complete().totalCount;
    },
    buckets: (factor) => logBuckets(complete(), factor),
    encode: () => encodeIntoCompressedBase64(complete()),
  };
}

function emptyHistogram(): JsHistogram {
  return walkable(
    build({
      highestTrackableValue: MICROSECONDS_MAX,
      numberOfSignificantValueDigits: 3,
      autoResize: false,
    }),
  );
}

function decoded(encoded: string): JsHistogram {
  return walkable(decodeFromCompressedBase64(encoded));
}

function walkable(histogram: Histogram): JsHistogram {
  if (histogram instanceof JsHistogram) return histogram;
  throw new TypeError("hdr-histogram-js chose a build that cannot be walked");
}

function logBuckets(histogram: JsHistogram, factor: number): ReturnType<LatencyHistogram["buckets"]> {
  const counts = new Map<number, number>();
  const recorded = histogram.recordedValuesIterator;
  recorded.reset();
  while (recorded.hasNext()) {
    const { valueIteratedTo, countAtValueIteratedTo } = recorded.next();
    const index = Math.floor(Math.log(valueIteratedTo) / Math.log(factor));
    counts.set(index, (counts.get(index) ?? 0) + countAtValueIteratedTo);
  }
  if (counts.size === 0) return [];
  const first = Math.min(...counts.keys());
  const last = Math.max(...counts.keys());
  return Array.from({ length: last - first + 1 }, (_, offset) => ({
    fromMs: factor ** (first + offset) / 1000,
    toMs: factor ** (first + offset + 1) / 1000,
    count: counts.get(first + offset) ?? 0,
  }));
}
