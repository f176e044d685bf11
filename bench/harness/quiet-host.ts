import type { FloorResult } from "./floor-result.js";
import { TICK_MS, type MachineTicks } from "./cpu-time.js";
import { median } from "./bench-rounds.js";

/** About a second of the host, while the bench itself does nothing but a fixed loop. */
export interface HostSample {
  /** /proc/stat at the beginning and at the end; NaN where there is none. */
  before: MachineTicks;
  after: MachineTicks;
  /** CPU of the bench's own process in between. */
  ownCpuMs: number;
  /** How long the loop took, each time it ran. */
  loopMs: readonly number[];
}

export interface HostVerdict {
  isQuiet: boolean;
  /** What was seen, and what is too much of it: one line. */
  line: string;
}

/** Shares of all cores; above them a missed floor says more about the host than about the service. */
export const QUIET = {
  stolenMax: 0.03,
  othersMax: 0.1,
  /** Of the slow loops (90 of 100 are faster) over the fast ones (10 of 100 are faster). */
  loopSpreadMax: 0.15,
} as const;

/** The middle of the samples counts, so that one hiccup in one of them decides nothing. */
export function judgeHost(samples: readonly HostSample[]): HostVerdict {
  const stolen = median(samples.map(({ before, after }) => stolenShare(before, after)));
  const others = median(samples.map(othersShare));
  const spread = median(samples.map(({ loopMs }) => loopSpread(loopMs)));
  const loop = median(samples.flatMap(({ loopMs }) => loopMs));
  // Written so that NaN is too much: a host that does not tell cannot be judged.
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

/** What the hypervisor gave to others while the whole bench ran: unlike other load, it is never the bench's own. */
export function judgeRun(before: MachineTicks, after: MachineTicks): HostVerdict {
  const stolen = stolenShare(before, after);
  const isQuiet = stolen <= QUIET.stolenMax;
  const line = `${percent(stolen)} of the CPU was stolen while the bench ran`;
  return { isQuiet, line: isQuiet ? line : `${line}: NOT QUIET (${atMost(QUIET.stolenMax)} may be)` };
}

export type ExitStatus = 0 | 1 | 2;

/**
 * 0 where every floor is met, 1 where one is missed, 2 where the host was not quiet. A floor that is met beside noise
 * proves nothing either: noise that hits both sides of a ratio pulls it towards 1.
 */
export function exitStatusOf(
  floors: readonly Pick<FloorResult, "passed">[],
  verdicts: readonly Pick<HostVerdict, "isQuiet">[],
): ExitStatus {
  if (floors.length === 0) return 0;
  if (!verdicts.every(({ isQuiet }) => isQuiet)) return 2;
  return floors.every(({ passed }) => passed) ? 0 : 1;
}

/** A part of the bench was not there in time. It has no figures then, and beside noise that tells nothing of the part. */
export class TimeLimitError extends Error {}

/** What else throws is a fault of the bench or of the service, on any host. */
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

/** What neither the bench nor the hypervisor's other guests used; the kernel counts in ticks, so it may come out below 0. */
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
