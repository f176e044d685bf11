import { readFileSync, readdirSync } from "node:fs";

/** Names the file that each test file's seconds of CPU are written to, one line of JSON each. */
export const COSTS_VARIABLE = "TEST_COSTS_FILE";

const TICKS_PER_SECOND = 100;

/** Seconds of CPU that this process, and what it started, alive or gone, have taken so far; null where there is no /proc. */
export function cpuSeconds(): { own: number; started: number } | null {
  try {
    const [own, gone] = ticksOf("self");
    let started = gone;
    const left = childrenOf("self");
    for (let pid = left.pop(); pid !== undefined; pid = left.pop()) {
      try {
        const [its, itsGone] = ticksOf(pid);
        started += its + itsGone;
        left.push(...childrenOf(pid));
      } catch {
        // It has ended since it was listed, and counts as gone next time.
      }
    }
    return { own: own / TICKS_PER_SECOND, started: started / TICKS_PER_SECOND };
  } catch {
    return null;
  }
}

/** proc_pid_stat(5): utime and stime, cutime and cstime. */
function ticksOf(pid: string): [own: number, gone: number] {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const at = (number: number): number => fields[number - 3] ?? 0;
  return [at(14) + at(15), at(16) + at(17)];
}

function childrenOf(pid: string): string[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "latin1")
      .trim()
      .split(" ")
      .filter((id) => id !== ""),
  );
}

/** Services that this process has started. */
export const serviceStarts = { count: 0 };
