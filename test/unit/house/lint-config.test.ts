import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FLOORS } from "../../house/floors.js";
import { lintConfig, type LintConfig, type Override } from "../../house/lint-config.js";

const HAND_KEPT: Override = { files: ["bench/**"], rules: { "no-console": "off" } };
const OLD: Override = { files: ["src/gone/**"], rules: { "no-restricted-imports": ["error", {}] } };
const configOf = (...overrides: Override[]): LintConfig => ({ overrides });

describe(".oxlintrc.json, written from the floors", () => {
  it("keeps every override that is not a boundary, and replaces those that are", () => {
    const written = lintConfig(configOf(OLD, HAND_KEPT));
    assert.deepEqual(written.overrides.at(-1), HAND_KEPT);
    assert.ok(!written.overrides.includes(OLD));
    assert.deepEqual(lintConfig(written), written);
  });

  it("lets no pure floor write JSON, except those that state the reason", () => {
    const bannedIn = (folder: string): boolean => {
      const rules = lintConfig(configOf())
        .overrides.filter(({ files }) => files.includes(`src/${folder}/**`))
        .flatMap(({ rules: { "no-restricted-globals": rule } }) => (rule === undefined ? [] : [rule]));
      // The last override that sets a rule is the one in force.
      return JSON.stringify(rules.at(-1)).includes('"name":"JSON"');
    };
    for (const { folder, isPure, writesJson } of FLOORS)
      if (isPure === true) assert.equal(bannedIn(folder), writesJson === undefined, folder);
    assert.ok(bannedIn("domain/decision"));
    assert.ok(!bannedIn("domain/policy"));
  });

  it("takes a boundary rule out of an override kept by hand, which would replace the floors'", () => {
    const stray = { ...OLD, rules: { ...OLD.rules, eqeqeq: "off" } };
    assert.deepEqual(lintConfig(configOf(stray)).overrides.at(-1), { ...OLD, rules: { eqeqeq: "off" } });
  });
});
