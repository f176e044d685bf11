import type { TestEvent } from "node:test/reporters";
import type { FileResult } from "./results.js";

/**
 * A reporter of node:test beside the one that people read: one line of JSON for each test file, which is a suite of the
 * outermost level (test/support/together.ts).
 */
export default async function* reportFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string, void> {
  for await (const event of events) {
    if (event.type !== "test:pass" && event.type !== "test:fail") continue;
    const { name, nesting, details } = event.data;
    if (nesting !== 0) continue;
    const result: FileResult = { file: name, isPassed: event.type === "test:pass", ms: details.duration_ms };
    yield `${JSON.stringify(result)}\n`;
  }
}
