import { spawn } from "node:child_process";
import { once } from "node:events";
import { makeDiskDir } from "../support/machine/test-dir.js";
import { watchForInterruption } from "./interruption.js";
import { removeRun } from "./leftovers.js";

/**
 * Runs a program of Node's with a directory of its own for temporary files (TMPDIR). When the program has ended, or a
 * signal has asked it to end, neither its processes nor its files are left. Returns the program's exit code, or that of a
 * shell for a signal that this process got.
 *
 * @param args Node's arguments, then the program's file and its own arguments
 */
export async function runInOwnDirectory(args: readonly string[]): Promise<number> {
  const interruption = watchForInterruption();
  const { signal } = interruption;
  const dir = await makeDiskDir();
  const program = spawn(process.execPath, args, { stdio: "inherit", env: { ...process.env, TMPDIR: dir } });
  try {
    const [code] = (await once(program, "exit", { signal })) as [code: number | null];
    return code ?? 1;
  } catch (error) {
    if (!signal.aborted) throw error;
    program.kill();
  } finally {
    await removeRun([dir]);
  }
  return interruption.exitCode() ?? 1;
}
