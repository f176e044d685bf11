import { readFile } from "node:fs/promises";

/** Of a process alone, in MiB: what no file backs. Pages of LMDB are the page cache's, and are not counted. */
export async function privateMebibytes(pid: number): Promise<number> {
  return anonymousMebibytes(await readFile(`/proc/${pid}/smaps_rollup`, "utf8"));
}

/** proc(5), /proc/pid/smaps_rollup. LazyFree is what the process gave back and the kernel has not taken yet. */
export function anonymousMebibytes(rollup: string): number {
  const kib = (field: string): number => {
    const [, value] = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(rollup) ?? [];
    if (value === undefined) throw new Error(`smaps_rollup has no ${field}`);
    return Number(value);
  };
  return (kib("Anonymous") - kib("LazyFree")) / 1024;
}
