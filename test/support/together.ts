import { after, describe, it } from "node:test";
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
  const left = new Set(files.map(({ name }) => name));
  for (const { name, url } of files) {
    describe(name, async () => {
      try {
        await import(url);
      } catch (error) {
        // Thrown from here it would be told, but not always counted: Node.js 20 now and then ends with exit code 0.
        it("loads", () => {
          throw error;
        });
      }
      after(closeAll);
      after(() => left.delete(name));
    });
  }
  process.on("exit", () => {
    if (left.size === 0) return;
    process.stderr.write(`the process ended before these test files did: ${[...left].join(" ")}\n`);
    process.exitCode = 1;
  });
}
