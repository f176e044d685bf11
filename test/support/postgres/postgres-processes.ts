import { readdir, readFile } from "node:fs/promises";

/** Sends the signal to a postmaster and all of its children, because a machine that hangs stops all of them. */
export async function signalPostgres(postmaster: number, signal: NodeJS.Signals): Promise<void> {
  // SIGSTOP reaches the postmaster first, so that it forks no more children. Before any other signal the children are
  // listed, because a killed postmaster has none left.
  if (signal === "SIGSTOP") signalOne(postmaster, signal);
  for (const pid of [postmaster, ...(await childrenOf(postmaster))]) signalOne(pid, signal);
}

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended since it was listed.
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir("/proc")).map(Number).filter(Number.isInteger);
  const parents = await Promise.all(pids.map(parentOf));
  return pids.filter((_, index) => parents[index] === parent);
}

/** Field 4 of /proc/<pid>/stat. NaN for a process that has ended. */
async function parentOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[1] ?? NaN);
}
