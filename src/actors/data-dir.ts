import { mkdirSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createDiskRoomCheck } from "../journal/disk-room.js";

/** DATA_DIR cannot be used: another live process does, or nothing can be written to it. One line for the operator. */
export class DataDirError extends Error {}

/** How long a predecessor that was just killed may take to vanish. */
const CLAIM_TIMEOUT_MS = 3000;
const CLAIM_POLL_MS = 50;

/** Makes DATA_DIR and claims it for this process: two writers on one journal would write everything twice. */
export async function claimDataDir(dataDir: string): Promise<() => Promise<void>> {
  await assertWritable(dataDir);
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
      throw new DataDirError(`DATA_DIR ${dataDir} is in use by process ${pid}`);
    } else await sleep(CLAIM_POLL_MS);
  }
}

/** A start that cannot journal must say so, not answer 503 to everything. */
async function assertWritable(dataDir: string): Promise<void> {
  const probe = join(dataDir, "write-probe");
  try {
    mkdirSync(dataDir, { recursive: true });
    await writeFile(probe, "", { mode: 0o600, flush: true });
    await rm(probe, { force: true });
    createDiskRoomCheck(dataDir)();
  } catch (error) {
    await rm(probe, { force: true }).catch(() => undefined);
    throw new DataDirError(`DATA_DIR ${dataDir} cannot be written: ${(error as Error).message}`);
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

/** This node's id, made once and kept in its journal's directory: positions of one journal mean nothing to another. */
export async function nodeId(dataDir: string, create: () => string): Promise<string> {
  const dir = join(dataDir, "journal");
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const path = join(dir, "node-id");
  const known = (await readFile(path, "utf8").catch(() => "")).trim();
  if (known !== "") return known;
  const made = create();
  await writeFile(path, `${made}\n`, { mode: 0o600, flush: true });
  return made;
}
