import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { ROOT } from "../../house/tree.js";

const PAGE = join(ROOT, "src/dashboard");
const GUARD = "api/transport/action.ts";

describe("DASH-6: the guard of an action is in one place", () => {
  it("nothing but the guard itself starts a mutation", () => {
    const files = readdirSync(PAGE, { recursive: true, encoding: "utf8" }).filter((name) =>
      /\.tsx?$/.test(name),
    );
    const users = files.filter((name) => readFileSync(join(PAGE, name), "utf8").includes("useMutation"));
    assert.deepEqual(users, [GUARD]);
  });
});
