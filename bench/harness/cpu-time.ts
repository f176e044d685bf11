import { readdirSync, readFileSync } from "node:fs";

/** Linux reports process times in hundredths of a second, whatever the kernel's own tick is (USER_HZ, proc(5)). */
export const TICK_MS = 10;

/** The CPU time a process has used so far, user and system, over all its threads, in ms. NaN without /proc. */
export function processCpuMs(pid: number): number {
  const fields = statFields(pid);
  return fields === undefined ? Number.NaN : (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** The CPU time of a process, its children, and children that have ended: of a whole PostgreSQL cluster. */
export function familyCpuMs(pid: number): number {
  const own = statFields(pid);
  if (own === undefined) return Number.NaN;
  let ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(own[field]), 0);
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const fields = statFields(Number(entry));
    if (fields !== undefined && Number(fields[1]) === pid) ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * TICK_MS;
}

/** The share of all cores that was busy since the previous call, 0..1. NaN without /proc. */
export function createBusyMeter(): () => number {
  let last = machineTicks();
  return () => {
    const now = machineTicks();
    const busy = (now.busy - last.busy) / Math.max(1, now.total - last.total);
    last = now;
    return busy;
  };
}

/** Fields 3 and later of /proc/<pid>/stat, see proc(5). The command before them may contain spaces and parentheses. */
function statFields(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

/** The ticks of all cores since the machine started. Idle time is the rest of the total. */
export interface MachineTicks {
  /** Includes stolen ticks, because we could not use a core while the hypervisor lent it to others. */
  busy: number;
  steal: number;
  total: number;
}

/** The first line of /proc/stat, proc(5). */
export function machineTicksOf(stat: string): MachineTicks {
  const line = stat.split("\n", 1)[0] ?? "";
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = line
    .split(/\s+/)
    .slice(1)
    .map(Number);
  const busy = user + nice + system + irq + softirq + steal;
  return { busy, steal, total: busy + idle + iowait };
}

/** NaN without /proc. */
export function machineTicks(): MachineTicks {
  try {
    return machineTicksOf(readFileSync("/proc/stat", "utf8"));
  } catch {
    return { busy: Number.NaN, steal: Number.NaN, total: Number.NaN };
  }
}
