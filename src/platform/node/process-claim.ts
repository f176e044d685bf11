import { hash } from "node:crypto";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Another live process holds the claim. Its process id is `pid`. */
export class ClaimedError extends Error {
  constructor(
    path: string,
    readonly pid: string,
  ) {
    super(`${path}: in use by process ${pid}`);
  }
}

/** The longest wait for a process that was just killed and still holds the claim. */
const CLAIM_TIMEOUT_MS = 3000;
const CLAIM_POLL_MS = 50;
const LOCK_POLL_MS = 5;

/**
 * Claims a path for one live process. It takes over a dead process's claim, and waits for a dying process. Resolves to
 * a function that releases the claim. Rejects with ClaimedError if a live process keeps the claim.
 */
export async function claimForProcess(path: string): Promise<() => Promise<void>> {
  const ownClaim = `${process.pid} ${await startTicks(process.pid)}`;
  const deadlineMs = performance.now() + CLAIM_TIMEOUT_MS;
  for (;;) {
    const holder = await withHostLock(path, deadlineMs, () => claimUnlessHeld(path, ownClaim));
    if (holder === null) return () => rm(path, { force: true });
    if (performance.now() > deadlineMs) throw new ClaimedError(path, holder);
    await sleep(CLAIM_POLL_MS);
  }
}

/** The process id of the live process that holds the claim at `path`. Null if no process holds it. */
export async function claimHolder(path: string): Promise<string | null> {
  const [pid = "", ticks] = (await readFile(path, "utf8").catch(() => "")).split(" ");
  return ticks && ticks === (await startTicks(Number(pid))) ? pid : null;
}

/**
 * Writes `ownClaim` unless a live process holds the claim. Null if it was written. Otherwise the holder's process id.
 */
async function claimUnlessHeld(path: string, ownClaim: string): Promise<string | null> {
  const holder = await claimHolder(path);
  if (holder !== null) return holder;
  await rm(path, { force: true });
  await writeFile(path, ownClaim, { flag: "wx", mode: 0o600 });
  return null;
}

/**
 * Runs `work` while no other process of this host runs it for `path`. Without this lock, several processes could find a
 * dead process's claim at once. The second would then remove the claim that the first has just made. The lock is the
 * name of an abstract Linux socket, which becomes free when its holder dies. `work` runs without the lock on systems
 * without such sockets, or if another process holds the lock until the deadline.
 */
async function withHostLock<T>(path: string, deadlineMs: number, work: () => Promise<T>): Promise<T> {
  const name = `\0payinference-claim-${hash("sha256", resolve(path))}`;
  const lock = createServer();
  for (;;) {
    try {
      lock.listen({ path: name, exclusive: true });
      await once(lock, "listening");
      break;
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
      if (!isTaken || performance.now() > deadlineMs) return await work();
      await sleep(LOCK_POLL_MS);
    }
  }
  try {
    return await work();
  } finally {
    lock.close();
    await once(lock, "close");
  }
}

/**
 * The start time of a process, in clock ticks since boot (field 22 of /proc/<pid>/stat). It tells a reused process id
 * apart. It is empty for a missing process, for a zombie, and on a system without /proc.
 */
async function startTicks(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" ? "" : (fields[19] ?? "");
}
