import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LIMITS } from "../../src/domain/vocabulary/limits.js";
import { readRoot, SETTING_NAMES } from "../support/machine/deploy-files.js";

const readme = readRoot("README.md");

describe("README.md", () => {
  it("says where the list of a merchant's policies ends", () => {
    const row =
      readme.split("\n").find((line) => line.startsWith("| `GET /v1/policies/:merchantId` |")) ?? "";
    assert.ok(row.includes(`the last ${LIMITS.policiesListedMax.toLocaleString("en")},`), row);
    assert.ok(row.includes(`${LIMITS.policiesListedBytesMax / 2 ** 20} MiB of rules`), row);
    assert.doesNotMatch(readme, /every version/);
  });

  it("has every setting of the service but those of benches and tests", () => {
    assert.ok(SETTING_NAMES.size > 20);
    for (const name of SETTING_NAMES) {
      if (!/^PAYINFERENCE_(?:BENCH|TEST)_/.test(name)) assert.ok(readme.includes(`\`${name}\``), name);
    }
  });
});
