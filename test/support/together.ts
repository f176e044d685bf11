import { after, describe } from "node:test";
import { closeAll } from "./closing.js";

export interface TestFile {
  /** Under dist/test/, as the suite's title. */
  name: string;
  url: string;
}

/**
 * Runs test files one after the other in this process, each as a suite of its own: its hooks are the suite's, and what
 * it opened is closed before the next one begins. A file that cannot be loaded fails its own suite only; a process
 * that ends before all of them are done fails, whatever its exit code says.
 */
export function runTogether(files: readonly TestFile[]): void {
  let left = files.length;
  for (const { name, url } of files) {
    describe(name, async () => {
      await import(url);
      after(closeAll);
      after(() => {
        left--;
      });
    });
  }
  process.on("exit", () => {
    if (left === 0) return;
    process.stderr.write(
      `${left} of ${files.length} test files did not come to their end, ${files.at(-left)?.name} first\n`,
    );
    process.exitCode = 1;
  });
}
