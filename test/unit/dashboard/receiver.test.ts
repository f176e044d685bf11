import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { RECEIVER } from "../../../src/dashboard/pages/events/receiver.js";
import { ROOT } from "../../house/tree.js";

describe("the receiver that the events page shows", () => {
  it("DASH-17: is the example that a test runs, without its comments", () => {
    const example = readFileSync(join(ROOT, "examples/receive-events.ts"), "utf8");
    assert.equal(RECEIVER, example.replaceAll(/^\/\*\*.*\*\/\n/gm, ""));
  });
});
