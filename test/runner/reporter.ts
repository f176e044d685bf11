import type { TestEvent } from "node:test/reporters";
import type { FileResult } from "./results.js";

/**
 * A reporter of node:test that runs beside the readable one. It writes one line of JSON for each test file, which is a
 * suite of the outermost level (test/support/together.ts). node:test reports the processes one after the other, and a
 * suite's tests before the suite. A process that failed by itself is reported under the path that it ran.
 */
export default async function* reportFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string, void> {
  let counts = { passed: 0, failed: 0, skipped: 0 };
  for await (const event of events) {
    if (event.type !== "test:pass" && event.type !== "test:fail") continue;
    const { name, nesting, details, skip } = event.data;
    const isPassed = event.type === "test:pass";
    if (nesting !== 0) {
      if (details.type !== "suite") counts[outcome(isPassed, skip)]++;
      continue;
    }
    const result: FileResult = { file: name, isPassed, ms: details.duration_ms, ...counts };
    counts = { passed: 0, failed: 0, skipped: 0 };
    yield `${JSON.stringify(result)}\n`;
  }
}

function outcome(isPassed: boolean, skip: string | boolean | undefined): "passed" | "failed" | "skipped" {
  if (skip !== undefined && skip !== false && skip !== null) return "skipped";
  return isPassed ? "passed" : "failed";
}
