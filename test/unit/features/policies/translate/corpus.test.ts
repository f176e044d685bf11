import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ACTION_TYPES } from "../../../../../src/domain/policy/action-rows.js";
import { CONDITION_KEYS } from "../../../../../src/domain/policy/compile-conditions.js";
import type { Conditions } from "../../../../../src/domain/policy/policy.js";
import { OPTIMIZATION_MODES } from "../../../../../src/domain/vocabulary/vocabulary.js";
import { translatePolicy } from "../../../../../src/features/policies/translate/translate-policy.js";
import { PROVIDER_IDS } from "../../../../support/generators/arbitraries.js";
import { CORPUS, type CorpusSentence } from "./corpus.js";

/** Each text must result in exactly these rules, this default provider or this warning. */
function assertTranslates({ text, rules, defaultProvider, warning }: CorpusSentence): void {
  const translation = translatePolicy(text, PROVIDER_IDS);
  assert.deepEqual(
    {
      rules: translation.rules.map(({ when, then }) => ({ when, then })),
      defaultProvider: translation.default_provider,
      warnings: translation.warnings.map(({ sentence_index, code }) => ({ sentence_index, code })),
    },
    {
      rules,
      defaultProvider,
      warnings: warning === undefined ? [] : [{ sentence_index: 0, code: warning }],
    },
  );
}

describe("translate: the corpus", () => {
  it("TRANS-5: has at least 420 different sentences, about half of them phrased after the grammar was finished", () => {
    assert.ok(new Set(CORPUS.map(({ text }) => text)).size === CORPUS.length && CORPUS.length >= 420);
    const after = CORPUS.filter(({ phrased }) => phrased === "after").length;
    assert.ok(after / CORPUS.length > 0.45 && after / CORPUS.length < 0.55, `${after} of ${CORPUS.length}`);
  });

  for (const phrased of ["before", "after"] as const) {
    describe(`phrased ${phrased}`, () => {
      const half = CORPUS.filter((sentence) => sentence.phrased === phrased);
      for (const sentence of half) it(sentence.text, () => assertTranslates(sentence));

      it(`prints the share understood of the half phrased ${phrased}`, (t) => {
        const understood = half.filter(
          ({ text }) => translatePolicy(text, PROVIDER_IDS).warnings.length === 0,
        ).length;
        const refusedOnPurpose = half.filter(
          ({ warning }) => warning !== undefined && warning !== "not_understood",
        ).length;
        const answerable = half.length - refusedOnPurpose;
        t.diagnostic(
          `phrased ${phrased}: ${understood} of ${answerable} understood (${Math.round((understood / answerable) * 100)} %)`,
        );
        assert.ok(understood / answerable > 0.75);
      });
    });
  }

  it("TRANS-5: covers every action, every mode of optimize_for and both sides of the actions' options", () => {
    const actions = CORPUS.flatMap(({ rules }) => rules.map(({ then }) => then));
    assert.deepEqual(new Set(actions.map(({ type }) => type)), new Set(ACTION_TYPES));
    const seen = new Set(
      actions.flatMap((action): unknown[] => {
        if (action.type === "optimize_for") return [action.mode];
        if (action.type === "prefer_provider") return [`strict ${action.strict}`];
        if (action.type === "retry_on_timeout") return [`same ${action.same_provider}`];
        return action.type === "max_cost" ? Object.keys(action) : [];
      }),
    );
    for (const wanted of [
      ...OPTIMIZATION_MODES,
      "strict true",
      "strict false",
      "same true",
      "same false",
      "max_effective_bps",
      "max_cost_minor",
    ]) {
      assert.ok(seen.has(wanted), wanted);
    }
    assert.ok(CORPUS.some(({ defaultProvider }) => defaultProvider !== undefined));
  });

  it("TRANS-5: covers every condition field of the contract's table", () => {
    const fieldOf = (key: string): string => key.replace(/_(?:gte|gt|lte|lt|not_in|in|prefix|is)$/, "");
    const seen = new Set(
      CORPUS.flatMap(({ rules }) => rules.flatMap(({ when }) => keysOf(when))).map(fieldOf),
    );
    const missing = [...new Set(CONDITION_KEYS.map(fieldOf))].filter(
      (field) => !seen.has(field) && field !== "all_of",
    );
    assert.deepEqual(missing, []);
  });
});

function keysOf(when: Conditions): string[] {
  const nested = [...(when.any_of ?? []), ...(when.all_of ?? []), ...(when.none_of ?? [])];
  return [...Object.keys(when), ...nested.flatMap(keysOf)];
}
