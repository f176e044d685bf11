import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { madeOnFirstUse } from "../../../../src/platform/timing/made-on-first-use.js";

describe("a value that is made on first use", () => {
  it("is made once for all waiting uses, and used at once from then on", async () => {
    let makes = 0;
    const used: string[] = [];
    const use = madeOnFirstUse(async () => `made ${++makes}`);
    assert.equal(makes, 0);
    await Promise.all([use((made) => used.push(made)), use((made) => used.push(made))]);
    assert.equal(
      use((made) => used.push(`at once ${made}`)),
      undefined,
    );
    assert.deepEqual(used, ["made 1", "made 1", "at once made 1"]);
  });

  it("is made again after it could not be made", async () => {
    let makes = 0;
    const use = madeOnFirstUse(async () => {
      if (++makes === 1) throw new Error("no file");
      return makes;
    });
    await assert.rejects(async () => use(() => assert.fail("nothing was made")), /no file/);
    let used = 0;
    await use((made) => (used = made));
    assert.equal(used, 2);
  });
});
