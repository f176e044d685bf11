import type { FloorResult } from "./floor-result.js";
import { TICK_MS, type MachineTicks } from "./cpu-time.js";
import { median } from "./bench-rounds.js";

/** A sample of the host over about a second, in which the bench itself only runs a fixed loop. */
export interface HostSample {
  /** /proc/stat at the beginning and at the end. NaN without it. */
  before: MachineTicks;
  after: MachineTicks;
  /** The CPU time of the bench's own process between the two readings. */
  ownCpuMs: number;
  /** The duration of each run of the loop. */
  loopMs: readonly number[];
}

export interface HostVerdict {
  isQuiet: boolean;
  /** One line with the figures and the limits that they exceed. */
  line: string;
}

/** Limits as shares of all cores. Above them a missed floor says more about the host than about the service. */
export const QUIET = {
  stolenMax: 0.03,
  othersMax: 0.1,
  /** The slow loops (slower than 90 of 100) compared with the fast ones (slower than 10 of 100). */
  loopSpreadMax: 0.15,
} as const;

/** Judges by the median of the samples, so that one hiccup decides nothing. */
export function judgeHost(samples: readonly HostSample[]): HostVerdict {
  const stolen = median(samples.map(({ before, after }) => stolenShare(before, after)));
  const others = median(samples.map(othersShare));
  const spread = median(samples.map(({ loopMs }) => loopSpread(loopMs)));
  const loop = median(samples.flatMap(({ loopMs }) => loopMs));
  // Each condition also fails for NaN: a host without figures cannot be judged.
  const faults = [
    ...(stolen <= QUIET.stolenMax ? [] : [`${atMost(QUIET.stolenMax)} may be stolen`]),
    ...(others <= QUIET.othersMax ? [] : [`${atMost(QUIET.othersMax)} may be others'`]),
    ...(spread <= QUIET.loopSpreadMax ? [] : [`the loop may differ by ${atMost(QUIET.loopSpreadMax)}`]),
  ];
  const figures = `${percent(stolen)} of the CPU is stolen, others use ${percent(others)}, a fixed loop of ${loop.toFixed(1)} ms differs by ${percent(spread)}`;
  return faults.length === 0
    ? { isQuiet: true, line: `the host is quiet: ${figures}` }
    : { isQuiet: false, line: `the host is NOT QUIET: ${figures} (${faults.join(", ")})` };
}

/**
 * Judges the CPU that the hypervisor gave to others while the whole bench ran. Unlike other load, it is never the
 * bench's own.
 */
export function judgeRun(before: MachineTicks, after: MachineTicks): HostVerdict {
  const stolen = stolenShare(before, after);
  const isQuiet = stolen <= QUIET.stolenMax;
  const line = `${percent(stolen)} of the CPU was stolen while the bench ran`;
  return { isQuiet, line: isQuiet ? line : `${line}: NOT QUIET (${atMost(QUIET.stolenMax)} may be)` };
}

export type ExitStatus = 0 | 1 | 2;

/**
 * 0 when every floor is met, 1 when one is missed, 2 when the host was not quiet. A floor that is met on a noisy host
 * proves nothing either, because noise on both sides of a ratio pulls it towards 1.
 */
export function exitStatusOf(
  floors: readonly Pick<FloorResult, "passed">[],
  verdicts: readonly Pick<HostVerdict, "isQuiet">[],
): ExitStatus {
  if (floors.length === 0) return 0;
  if (!verdicts.every(({ isQuiet }) => isQuiet)) return 2;
  return floors.every(({ passed }) => passed) ? 0 : 1;
}

/**
 * A part of the bench exceeded its time limit. It then has no figures. On a noisy host that says nothing about the
 * part.
 */
export class TimeLimitError extends Error {}

/**
 * The exit status for an error. Only a time limit on a noisy host is excused. Any other error is a fault of the bench
 * or of the service, on any host.
 */
export function failureStatusOf(
  error: unknown,
  verdicts: readonly Pick<HostVerdict, "isQuiet">[],
): ExitStatus {
  const isNoisy = verdicts.some(({ isQuiet }) => !isQuiet);
  return error instanceof TimeLimitError && isNoisy ? 2 : 1;
}

function stolenShare(before: MachineTicks, after: MachineTicks): number {
  return (after.steal - before.steal) / (after.total - before.total);
}

/**
 * The share of the CPU that other processes of this machine used: neither the bench nor the hypervisor's other guests.
 * The kernel counts in ticks, so the difference may be below 0. It then counts as 0.
 */
function othersShare({ before, after, ownCpuMs }: HostSample): number {
  const usedTicks = after.busy - after.steal - (before.busy - before.steal) - ownCpuMs / TICK_MS;
  return Math.max(0, usedTicks / (after.total - before.total));
}

function loopSpread(loopMs: readonly number[]): number {
  const sorted = loopMs.toSorted((a, b) => a - b);
  const rank = (fraction: number): number => sorted[Math.floor(fraction * sorted.length)] ?? Number.NaN;
  return rank(0.9) / rank(0.1) - 1;
}

function percent(share: number): string {
  return Number.isNaN(share) ? "an unknown part" : `${(100 * share).toFixed(1)} %`;
}

function atMost(share: number): string {
  return `at most ${(100 * share).toFixed(0)} %`;
}
