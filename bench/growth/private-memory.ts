import { readFile } from "node:fs/promises";

/**
 * The private memory of a process in MiB: pages that no file backs. LMDB's pages belong to the page cache and do not
 * count.
 */
export async function privateMebibytes(pid: number): Promise<number> {
  return anonymousMebibytes(await readFile(`/proc/${pid}/smaps_rollup`, "utf8"));
}

/**
 * See proc(5), /proc/pid/smaps_rollup. LazyFree is memory that the process gave back and the kernel has not taken yet.
 */
export function anonymousMebibytes(rollup: string): number {
  const kib = (field: string): number => {
    const [, value] = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(rollup) ?? [];
    if (value === undefined) throw new Error(`smaps_rollup has no ${field}`);
    return Number(value);
  };
  return (kib("Anonymous") - kib("LazyFree")) / 1024;
}
