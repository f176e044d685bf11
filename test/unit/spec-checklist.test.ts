import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { makeChecklist } from "../contract/checklist.js";

const ROOT = new URL("../../../", import.meta.url);

describe("docs/contract", () => {
  it("has a test for every clause, and nothing cites a clause that there is not", () => {
    assert.deepEqual(makeChecklist(ROOT).faults, []);
  });
});
