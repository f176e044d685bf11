import type { FloorResult } from "../harness/floor-result.js";
import { median } from "../harness/bench-rounds.js";
import type { PolicyKind } from "./grown-policies.js";
import type { OverMerchants } from "./platform.js";
import type { BesideFigures } from "./publishes.js";
import type { RestartFigures } from "./restarts.js";
import type { Sides } from "./sides.js";

/** The promises for many tenants and many merchants, as multiples of the figures with few (issue "flat cost"). */
export const GROWTH_FLOORS = {
  restartTimesMax: 1.5,
  publishTimesMax: 1.5,
  besideP99TimesMax: 1.3,
  privateMebibytesMoreMax: 64,
  /** If fewer publishes were answered on one side, the two loads would not be comparable. */
  publishesAnsweredTimesMin: 0.9,
  /** The rates over many merchants and over all, as shares of the rate over one merchant. */
  throughputMin: {
    template: { many: 0.85, all: 0.6 },
    own: { many: 0.5, all: 0.4 },
  },
} as const satisfies {
  throughputMin: Record<PolicyKind, { many: number; all: number }>;
  [name: string]: unknown;
};

export function restartFloors({ small, large }: Sides<RestartFigures>): FloorResult[] {
  const { restartTimesMax, privateMebibytesMoreMax } = GROWTH_FLOORS;
  const times = timesOf(large.readyMs, small.readyMs);
  const memory = (when: string, of: "startedMebibytes" | "usedMebibytes"): FloorResult => {
    const more = median(large[of]) - median(small[of]);
    return {
      passed: more <= privateMebibytesMoreMax,
      line: `private memory ${when} is ${more.toFixed(0)} MiB more, at most ${privateMebibytesMoreMax}`,
    };
  };
  return [
    {
      passed: times <= restartTimesMax,
      line: `ready after a restart takes ${times.toFixed(2)} times as long, at most ${restartTimesMax}`,
    },
    memory("after a restart", "startedMebibytes"),
    memory("after decisions for many merchants", "usedMebibytes"),
  ];
}

export function publishFloor({ small, large }: Sides<readonly number[]>): FloorResult {
  const { publishTimesMax } = GROWTH_FLOORS;
  const times = timesOf(large, small);
  return {
    passed: times <= publishTimesMax,
    line: `a publish takes ${times.toFixed(2)} times as long, at most ${publishTimesMax}`,
  };
}

export function besideFloors({ small, large }: Sides<BesideFigures>): FloorResult[] {
  const { besideP99TimesMax, publishesAnsweredTimesMin } = GROWTH_FLOORS;
  const p99 = ({ beside }: BesideFigures): number[] => beside.map(({ p99Ms }) => p99Ms);
  const times = timesOf(p99(large), p99(small));
  const answered = timesOf(large.publishesPerSecond, small.publishesPerSecond);
  return [
    {
      passed: times <= besideP99TimesMax,
      line: `p99 of others beside ten publishes a second is ${times.toFixed(2)} times as long, at most ${besideP99TimesMax}`,
    },
    {
      passed: answered >= publishesAnsweredTimesMin,
      line: `publishes answered beside them are ${answered.toFixed(2)} of those with few tenants, at least ${publishesAnsweredTimesMin}`,
    },
    {
      passed: small.refused + large.refused === 0,
      line: `${small.refused + large.refused} publishes are refused beside them, none may be`,
    },
  ];
}

/** Compares the rows for many and all merchants with the row for one. */
export function throughputFloors(kind: PolicyKind, rows: readonly OverMerchants[]): FloorResult[] {
  const floors = GROWTH_FLOORS.throughputMin[kind];
  const [one, many, all] = rows;
  const check = (row: OverMerchants | undefined, floor: number): FloorResult => {
    const ratio = timesOf(row?.requestsPerSecond ?? [], one?.requestsPerSecond ?? []);
    return {
      passed: ratio >= floor,
      line: `throughput over ${row?.merchants} merchants (${kind}) is ${ratio.toFixed(2)} of that over one, at least ${floor}`,
    };
  };
  return [check(many, floors.many), check(all, floors.all)];
}

/**
 * Takes the ratio within each round, in which both sides had the same neighbours on the host, and then the median.
 * Without rounds the result is NaN, which passes no floor.
 */
export function timesOf(of: readonly number[], to: readonly number[]): number {
  return median(of.map((value, round) => value / (to[round] ?? Number.NaN)));
}
