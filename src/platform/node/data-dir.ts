import { mkdirSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ClaimedError, claimForProcess, claimHolder } from "./process-claim.js";
import { createDiskRoomCheck } from "./disk-room.js";
import { keep, readKept } from "./kept-file.js";

/**
 * DATA_DIR cannot be used, because another live process uses it or it is not writable. The message is one line for the
 * operator.
 */
export class DataDirError extends Error {}

const ownerFile = (dataDir: string): string => join(dataDir, "owner");

/** The id of the live process that uses DATA_DIR. Null if none does. */
export async function dataDirHolder(dataDir: string): Promise<string | null> {
  return claimHolder(ownerFile(dataDir));
}

/** Creates DATA_DIR and claims it for this process. Two writers on one journal would write everything twice. */
export async function claimDataDir(dataDir: string): Promise<() => Promise<void>> {
  await assertWritable(dataDir);
  try {
    return await claimForProcess(ownerFile(dataDir));
  } catch (error) {
    if (!(error instanceof ClaimedError)) throw error;
    throw new DataDirError(`DATA_DIR ${dataDir} is in use by process ${error.pid}`);
  }
}

/** If nothing can be written, the start must fail and say so. Otherwise the node would answer 503 to everything. */
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
 * This node's id. It is created one time and stored beside the journal, because a position in one journal means nothing
 * in another.
 */
export async function nodeId(dataDir: string, create: () => string): Promise<string> {
  const dir = join(dataDir, "journal");
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const path = join(dir, "node-id");
  const known = await readKept(path);
  if (known !== null) return known;
  const made = create();
  await keep(path, made);
  return made;
}
