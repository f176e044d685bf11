import { readFileSync, readdirSync } from "node:fs";

/**
 * The name of the variable that names the cost file. Each test file's seconds of CPU are written there as one line of
 * JSON.
 */
export const COSTS_VARIABLE = "TEST_COSTS_FILE";

const TICKS_PER_SECOND = 100;

/**
 * The seconds of CPU taken so far by this process and by all processes it started, alive or ended. Null without /proc.
 */
export function cpuSeconds(): { own: number; started: number } | null {
  try {
    const [own, gone] = ticksOf("self");
    let started = gone;
    const left = childrenOf("self");
    for (let pid = left.pop(); pid !== undefined; pid = left.pop()) {
      try {
        const [running, ended] = ticksOf(pid);
        started += running + ended;
        left.push(...childrenOf(pid));
      } catch {
        // The process has ended since it was listed. The next call counts it as ended.
      }
    }
    return { own: own / TICKS_PER_SECOND, started: started / TICKS_PER_SECOND };
  } catch {
    return null;
  }
}

/** See proc_pid_stat(5). Returns utime + stime, and cutime + cstime. */
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

/** The number of services that this process has started. */
export const serviceStarts = { count: 0 };
