import type { Random } from "../../bench/client/random.js";

/**
 * Returns shares of the whole traffic by rank, following Zipf's law: the k-th share is 1 / k^exponent of the first
 * one. Their sum is 1.
 */
export function zipfShares(count: number, exponent: number): Float64Array {
  const shares = Float64Array.from({ length: count }, (_, index) => (index + 1) ** -exponent);
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => share / sum);
}

export interface Placement {
  /** The share of the whole traffic in each cell. */
  cells: number[];
  /** The shares of each cell's workspaces, the largest first. */
  members: number[][];
  /** Workspaces that were divided, because one alone is more than a cell may carry. */
  divided: number;
  /** Workspaces that were moved to another cell. */
  moved: number;
}

/** Places each workspace in a random cell, as a hash of its id would. */
export function placeByChance(shares: ArrayLike<number>, cellCount: number, random: Random): Placement {
  const members: number[][] = Array.from({ length: cellCount }, () => []);
  for (const share of Array.from(shares)) members[random.integer(0, cellCount - 1)]?.push(share);
  for (const some of members) some.sort((one, other) => other - one);
  return { cells: members.map(sum), members, divided: 0, moved: 0 };
}

/**
 * Does the work of an operator. First it divides each workspace that alone has more than half of a mean cell. Then it
 * moves workspaces out of the hottest cell, one at a time. It ends when no cell is above `hottestMax` times the mean,
 * or when no move helps.
 */
export function balance(placement: Placement, hottestMax: number): Placement {
  const members = placement.members.map((some) => [...some]);
  const mean = sum(placement.cells) / members.length;
  let divided = 0;
  let moved = 0;
  const cells = [...placement.cells];
  const parts: number[] = [];
  for (const [home, some] of members.entries()) {
    const large = some.filter((share) => share > mean / 2);
    members[home] = some.filter((share) => share <= mean / 2);
    cells[home] = sum(members[home]);
    divided += large.length;
    for (const share of large) {
      const count = Math.ceil(share / (mean / 2));
      for (let part = 0; part < count; part++) parts.push(share / count);
    }
  }
  // Each part goes to the cell that is coolest at that moment.
  for (const part of parts.toSorted((one, other) => other - one)) {
    const coolest = indexOfMost(cells, -1);
    members[coolest]?.push(part);
    cells[coolest] = (cells[coolest] as number) + part;
    moved++;
  }
  for (const some of members) some.sort((one, other) => other - one);
  for (;;) {
    const hottest = indexOfMost(cells, 1);
    const coolest = indexOfMost(cells, -1);
    const excess = (cells[hottest] as number) - mean;
    if ((cells[hottest] as number) <= hottestMax * mean) break;
    const room = mean - (cells[coolest] as number);
    // The largest workspace that fits, so that few are moved.
    const at = (members[hottest] as number[]).findIndex((share) => share <= Math.min(excess, room));
    if (at < 0) break;
    const [share] = (members[hottest] as number[]).splice(at, 1) as [number];
    members[coolest]?.push(share);
    cells[hottest] = (cells[hottest] as number) - share;
    cells[coolest] = (cells[coolest] as number) + share;
    moved++;
  }
  return { cells, members, divided, moved };
}

/** The largest cell, divided by the mean of all cells. */
export function hottestOverMean(cells: readonly number[]): number {
  return Math.max(...cells) / (sum(cells) / cells.length);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function indexOfMost(values: readonly number[], sign: 1 | -1): number {
  let most = 0;
  for (const [index, value] of values.entries())
    if (sign * value > sign * (values[most] as number)) most = index;
  return most;
}
