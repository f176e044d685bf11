import { readdir, readFile } from "node:fs/promises";

/**
 * The process's own memory in bytes. Pages of its LMDB files are left out, because the kernel can take them back at any
 * time.
 */
export async function anonymousBytes(pid: number): Promise<number> {
  const [, kib] = /^RssAnon:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kib) * 1024;
}

export async function openDescriptors(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

/**
 * The Theil–Sen estimator: the median of the slopes between all pairs, in units of y per unit of x. No single outlier
 * changes it.
 */
export function medianSlope(points: readonly { x: number; y: number }[]): number {
  const slopes: number[] = [];
  for (const [index, a] of points.entries()) {
    for (const b of points.slice(index + 1)) slopes.push((b.y - a.y) / (b.x - a.x));
  }
  return slopes.toSorted((a, b) => a - b)[slopes.length >> 1] ?? Number.NaN;
}

/** Resident memory of a process in bytes (field 2 of /proc/<pid>/statm, in pages of 4 KiB). */
export async function residentBytesOf(pid: number | undefined): Promise<number> {
  return Number((await readFile(`/proc/${pid}/statm`, "utf8")).split(" ")[1]) * 4096;
}
