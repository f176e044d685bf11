import { mkdirSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** DATA_DIR is another live process's; the message is one line for the operator. */
export class DataDirInUseError extends Error {}

/** How long a predecessor that was just killed may take to vanish. */
const CLAIM_TIMEOUT_MS = 3000;
const CLAIM_POLL_MS = 50;

/** Makes DATA_DIR and claims it for this process: two writers on one journal would write everything twice. */
export async function claimDataDir(dataDir: string): Promise<() => Promise<void>> {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, "owner");
  const ours = `${process.pid} ${await startTicks(process.pid)}`;
  const deadlineMs = performance.now() + CLAIM_TIMEOUT_MS;
  for (;;) {
    try {
      await writeFile(path, ours, { flag: "wx", mode: 0o600 });
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const [pid, ticks] = (await readFile(path, "utf8").catch(() => "")).split(" ");
    if (!ticks || ticks !== (await startTicks(Number(pid)))) await rm(path, { force: true });
    else if (performance.now() > deadlineMs) {
      throw new DataDirInUseError(`DATA_DIR ${dataDir} is in use by process ${pid}`);
    } else await sleep(CLAIM_POLL_MS);
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

/** This node's id, made once and kept beside its journal. */
export async function nodeId(dataDir: string, create: () => string): Promise<string> {
  const path = join(dataDir, "node-id");
  const known = (await readFile(path, "utf8").catch(() => "")).trim();
  if (known !== "") return known;
  const made = create();
  await writeFile(path, `${made}\n`, { mode: 0o600 });
  return made;
}
