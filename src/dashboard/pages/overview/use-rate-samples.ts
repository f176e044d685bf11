import { useState } from "react";
import type { DecisionAggregate } from "../../../client/wire-types.js";

export interface RateSamples {
  /** Unix seconds, ascending. */
  times: readonly number[];
  perSecond: readonly number[];
}

interface Samples extends RateSamples {
  last: { total: number; atMs: number } | null;
}

const SAMPLES_MAX = 150;
const NONE: Samples = { times: [], perSecond: [], last: null };

/** Measures decisions per second while the page is open, from the difference of two totals. */
export function useRateSamples(aggregate: DecisionAggregate | undefined): RateSamples {
  const [samples, setSamples] = useState(NONE);
  const [lastAggregate, setLastAggregate] = useState<DecisionAggregate>();
  if (aggregate !== undefined && aggregate !== lastAggregate) {
    setLastAggregate(aggregate);
    setSamples(withSample(samples, aggregate));
  }
  return samples;
}

function withSample(samples: Samples, { total, generated_at }: DecisionAggregate): Samples {
  const atMs = Date.parse(generated_at);
  const { last } = samples;
  // The service may answer with cached figures, which have not changed.
  if (last !== null && atMs <= last.atMs) return samples;
  const next = { ...samples, last: { total, atMs } };
  if (last === null || total < last.total) return next;
  const perSecond = ((total - last.total) * 1000) / (atMs - last.atMs);
  return {
    ...next,
    times: [...samples.times, atMs / 1000].slice(-SAMPLES_MAX),
    perSecond: [...samples.perSecond, perSecond].slice(-SAMPLES_MAX),
  };
}
