import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { refusalOfVersion, SUPPORTED_POSTGRES } from "../../../../src/platform/postgres/postgres-version.js";

describe("PostgreSQL 15, 16, 17 and 18 are supported", () => {
  for (const [versionNum, what] of [
    [150_000, "the first 15"],
    [160_014, "16"],
    [170_010, "17"],
    [180_004, "18"],
    [189_999, "the last 18"],
  ] as const) {
    it(`SET-3: accepts ${what}`, () => {
      assert.equal(refusalOfVersion(versionNum, SUPPORTED_POSTGRES), null);
    });
  }

  for (const [versionNum, named] of [
    [90_624, "9.624"],
    [140_023, "14.23"],
    [149_999, "14.9999"],
    [190_000, "19.0"],
  ] as const) {
    it(`SET-3: refuses ${named} in one line that names it and the range`, () => {
      const refusal = refusalOfVersion(versionNum, SUPPORTED_POSTGRES);
      assert.equal(refusal, `the server is version ${named}, and versions 15 to 18 are supported`);
    });
  }
});
