import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { ownFile } from "../../../../src/platform/node/own-files.js";
import { ROOT } from "../../../house/tree.js";

describe("files that come with the service", () => {
  it("are the nearest above the running code: a thread of the same build, the schema of the repository", () => {
    assert.match(ownFile("workers/decide.js"), /\/\.dist-[^/]+\/workers\/decide\.js$/);
    assert.equal(ownFile("migrations"), join(ROOT, "migrations"));
    assert.ok(existsSync(ownFile("dashboard/index.html")));
  });

  it("are named if they are missing", () => {
    assert.throws(
      () => ownFile("workers/nobody.js"),
      /^Error: workers\/nobody\.js is missing from this installation$/,
    );
  });
});
