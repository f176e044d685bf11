import { closeAll, type Closer } from "./bench-processes.js";
import type { FloorResult } from "./floor-result.js";
import { exitStatusOf, failureStatusOf } from "./quiet-host.js";
import { lookAtHost, watchStolen } from "./watch-host.js";

/** The meaning of each exit status, beyond the lines of the floors. */
const CONCLUSIONS = {
  0: null,
  1: "A floor is missed on a quiet host (exit 1)",
  2: "The floors are NOT JUDGED: the host was not quiet (exit 2)",
} as const;

/**
 * Checks whether the host is quiet, measures, prints the floors, stops all started processes, checks the host again,
 * and sets the exit status. An error is exit 1, except that a time limit on a noisy host is not judged.
 */
export async function runBench(
  name: string,
  measure: (closers: Closer[]) => Promise<readonly FloorResult[]>,
): Promise<void> {
  const closers: Closer[] = [];
  let interrupted = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      interrupted = true;
      void closeAll(closers).then(() => process.exit(130));
    });
  }
  const beganMs = performance.now();
  const before = lookAtHost();
  print(`${before.line}\n`);
  const stolen = watchStolen();
  try {
    const floors = await measure(closers);
    const during = stolen();
    await closeAll(closers);
    const after = lookAtHost();
    print("");
    for (const { passed, line } of floors) print(`${passed ? "ok  " : "FAIL"}  ${line}`);
    print(`\n${during.line}; afterwards ${after.line}`);
    const status = exitStatusOf(floors, [before, during, after]);
    const conclusion = CONCLUSIONS[status];
    if (conclusion !== null) print(conclusion);
    print(`${((performance.now() - beganMs) / 1000).toFixed(0)} s in all`);
    process.exitCode = status;
  } catch (error) {
    if (!interrupted) {
      process.exitCode = failureStatusOf(error, [before, stolen()]);
      process.stderr.write(`${name}: ${(error as Error).message} (exit ${process.exitCode})\n`);
    }
  } finally {
    await closeAll(closers);
  }
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
