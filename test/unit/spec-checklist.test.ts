import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { CHECKLIST, makeChecklist } from "../contract/checklist.js";

const ROOT = new URL("../../../", import.meta.url);

describe(CHECKLIST, () => {
  const { markdown, faults } = makeChecklist(ROOT);

  it("has a test for every clause of the contract, and nothing cites a clause that there is not", () => {
    assert.deepEqual(faults, []);
  });

  it("is what npm run checklist writes", () => {
    assert.equal(readFileSync(new URL(CHECKLIST, ROOT), "utf8"), markdown);
  });
});
