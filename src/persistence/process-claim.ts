import { readFile, rm, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** Another live process holds the claim; `pid` is its own. */
export class ClaimedError extends Error {
  constructor(
    path: string,
    readonly pid: string,
  ) {
    super(`${path}: in use by process ${pid}`);
  }
}

/** How long a predecessor that was just killed may take to vanish. */
const CLAIM_TIMEOUT_MS = 3000;
const CLAIM_POLL_MS = 50;

/**
 * One live process per path. A dead one's claim is taken over, one that is just dying is waited for. Resolves to the
 * release; rejects with ClaimedError.
 */
export async function claimForProcess(path: string): Promise<() => Promise<void>> {
  const ours = `${process.pid} ${await startTicks(process.pid)}`;
  const deadlineMs = performance.now() + CLAIM_TIMEOUT_MS;
  for (;;) {
    try {
      await writeFile(path, ours, { flag: "wx", mode: 0o600 });
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const [pid = "", ticks] = (await readFile(path, "utf8").catch(() => "")).split(" ");
    if (!ticks || ticks !== (await startTicks(Number(pid)))) await rm(path, { force: true });
    else if (performance.now() > deadlineMs) throw new ClaimedError(path, pid);
    else await sleep(CLAIM_POLL_MS);
  }
}

/**
 * When a process started, in clock ticks since boot (field 22 of /proc/<pid>/stat), which tells a reused pid.
 * Empty for a process that is gone, a zombie, or on a system without /proc.
 */
async function startTicks(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" ? "" : (fields[19] ?? "");
}
