import { once } from "node:events";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { basename, dirname } from "node:path";
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
const GATE_POLL_MS = 5;

/**
 * One live process per path. A dead one's claim is taken over, one that is just dying is waited for. Resolves to the
 * release; rejects with ClaimedError.
 */
export async function claimForProcess(path: string): Promise<() => Promise<void>> {
  const ours = `${process.pid} ${await startTicks(process.pid)}`;
  const deadlineMs = performance.now() + CLAIM_TIMEOUT_MS;
  for (;;) {
    const holder = await behindGate(path, () => holderOrClaim(path, ours));
    if (holder === null) return () => rm(path, { force: true });
    if (performance.now() > deadlineMs) throw new ClaimedError(path, holder);
    await sleep(CLAIM_POLL_MS);
  }
}

/** The live process that holds the claim, or null: it is ours now. */
async function holderOrClaim(path: string, ours: string): Promise<string | null> {
  const [pid = "", ticks] = (await readFile(path, "utf8").catch(() => "")).split(" ");
  if (ticks && ticks === (await startTicks(Number(pid)))) return pid;
  await rm(path, { force: true });
  await writeFile(path, ours, { flag: "wx", mode: 0o600 });
  return null;
}

/**
 * One process at a time: of several that find the same dead claim, each would remove what another has just put in its
 * place (measured: two of four had it in half of the rounds). The gate is an abstract socket, which the kernel opens
 * again should its holder die; only Linux has them, and only it tells whether a holder lives.
 */
async function behindGate<T>(path: string, work: () => Promise<T>): Promise<T> {
  if (process.platform !== "linux") return work();
  const { dev, ino } = await stat(dirname(path));
  const name = `\0payinference-claim:${dev}:${ino}:${basename(path)}`;
  const deadlineMs = performance.now() + CLAIM_TIMEOUT_MS;
  for (;;) {
    const gate = createServer();
    try {
      await once(gate.listen({ path: name, exclusive: true }), "listening");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
      if (performance.now() > deadlineMs) throw new ClaimedError(path, "unknown, which is just starting");
      await sleep(GATE_POLL_MS);
      continue;
    }
    try {
      return await work();
    } finally {
      gate.close();
    }
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
