import { appendFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { closeAll } from "./closing.js";
import { COSTS_VARIABLE, cpuSeconds, serviceStarts } from "./cpu-time.js";

/**
 * How long a process may live after its last test file. Without a limit, a timer that a failed hook did not clear would
 * keep the whole run forever.
 */
const LEFTOVERS_MS_MAX = 30_000;

export interface TestFile {
  /** The path under dist/test/. It becomes the suite's title. */
  name: string;
  url: string;
}

/**
 * Runs test files in sequence in this process. Each file is a suite with its own hooks, and it closes what it opened
 * before the next file begins. A file that cannot be loaded fails only its own suite. A process that ends before all
 * files are done gets the exit code 1.
 */
export function runTogether(files: readonly TestFile[], leftoversMsMax = LEFTOVERS_MS_MAX): void {
  const left = new Set(files.map(({ name }) => name));
  for (const { name, url } of files) {
    describe(name, async () => {
      let begun = cpuSeconds();
      let startsBefore = 0;
      before(() => {
        begun = cpuSeconds();
        startsBefore = serviceStarts.count;
      });
      try {
        await import(url);
      } catch (error) {
        // Throwing here would be reported but not always counted: Node.js 20 sometimes ends with exit code 0.
        it("loads", () => {
          throw error;
        });
      }
      after(closeAll);
      after(() => {
        left.delete(name);
        const costs = process.env[COSTS_VARIABLE];
        const ended = cpuSeconds();
        if (costs === undefined || begun === null || ended === null) return;
        const line = {
          file: name,
          ownS: ended.own - begun.own,
          startedS: ended.started - begun.started,
          starts: serviceStarts.count - startsBefore,
        };
        appendFileSync(costs, `${JSON.stringify(line)}\n`);
      });
    });
  }
  after(() => {
    // The timer itself does not keep the process. So it fires only if a test file left something that does.
    setTimeout(() => {
      const what = process.getActiveResourcesInfo().join(" ");
      process.stderr.write(`something of these test files still keeps the process: ${what}\n`);
      process.exit(1);
    }, leftoversMsMax).unref();
  });
  process.on("exit", () => {
    if (left.size === 0) return;
    process.stderr.write(`the process ended before these test files did: ${[...left].join(" ")}\n`);
    process.exitCode = 1;
  });
}
