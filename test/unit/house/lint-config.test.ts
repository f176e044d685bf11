import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { lintConfig, type LintConfig, type Override } from "../../house/lint-config.js";

const HAND_KEPT: Override = { files: ["bench/**"], rules: { "no-console": "off" } };
const OLD: Override = { files: ["src/gone/**"], rules: { "no-restricted-imports": ["error", {}] } };
const configOf = (...overrides: Override[]): LintConfig => ({ overrides });

describe(".oxlintrc.json, written from the floors", () => {
  it("keeps every override that is not a boundary, and replaces those that are", () => {
    const written = lintConfig(configOf(OLD, HAND_KEPT), []);
    assert.deepEqual(written.overrides.at(-1), HAND_KEPT);
    assert.ok(!written.overrides.includes(OLD));
    assert.deepEqual(lintConfig(written, []), written);
  });

  it("refuses an override kept by hand that would replace a boundary", () => {
    const stray = { ...OLD, rules: { ...OLD.rules, eqeqeq: "off" } };
    assert.throws(
      () => lintConfig(configOf(stray), []),
      /the override of src\/gone\/\*\* sets a boundary rule/,
    );
  });

  it("lets a listed import pass in its own file only", () => {
    const listed = { from: "src/features/usage/usage.ts", to: "src/features/reader/reads.ts" };
    const overrides = lintConfig(configOf(), [listed]).overrides.filter((override) =>
      JSON.stringify(override).includes("!../reader/reads.js"),
    );
    assert.deepEqual(
      overrides.map(({ files }) => files),
      [[listed.from]],
    );
  });
});
