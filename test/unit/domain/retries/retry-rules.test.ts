import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findRetryRule } from "../../../../src/domain/retries/judge-retry.js";
import {
  RETRY_RULES,
  RETRY_RULES_VERSION,
  retryRulesOf,
} from "../../../../src/domain/retries/retry-rules.js";
import { HARD_DECLINE_CODES } from "../../../../src/domain/vocabulary/hard-decline-codes.js";
import { LIMITS } from "../../../../src/domain/vocabulary/limits.js";
import { CARD_NETWORKS, RETRY_SCHEMES } from "../../../../src/domain/vocabulary/vocabulary.js";

const DAY_SECONDS = 24 * 3600;

const rowOf = (scheme: (typeof CARD_NETWORKS)[number], code: string) =>
  findRetryRule(RETRY_RULES, scheme, code);

/** The codes of a scheme's category, except the names that providers give them. */
const codesOf = (scheme: string, category: string): string[] =>
  RETRY_RULES.filter((rule) => rule.scheme === scheme && rule.category === category)
    .filter(({ codeKind }) => codeKind !== "provider_name")
    .flatMap(({ code }) => code ?? [])
    .toSorted();

describe("the published table of the schemes' retry rules", () => {
  it("RTRY-10: each row names a source, a date that was and a version", () => {
    for (const { ruleId, source, effectiveDate, version, meaning } of RETRY_RULES) {
      assert.ok(source.length > 20 && meaning.length > 3, ruleId);
      assert.equal(new Date(effectiveDate).toISOString().slice(0, 10), effectiveDate);
      assert.ok(effectiveDate >= "2021-04-17" && effectiveDate <= "2026-11-26", ruleId);
      assert.ok(Number.isInteger(version) && version >= 1 && version <= RETRY_RULES_VERSION, ruleId);
    }
  });

  it("RTRY-10: a version of the table has the rows that it brought and those before", () => {
    assert.deepEqual(retryRulesOf(RETRY_RULES_VERSION), RETRY_RULES);
    assert.deepEqual(retryRulesOf(0), []);
  });

  it("RTRY-1: the whole table is one page, and each row has an id of its own", () => {
    assert.ok(RETRY_RULES.length <= LIMITS.pageRowsMax);
    const ids = RETRY_RULES.map(({ ruleId }) => ruleId);
    assert.equal(new Set(ids).size, ids.length);
    for (const id of ids) assert.match(id, /^[a-z]+_[A-Za-z0-9_]{1,64}$/);
  });

  it("RTRY-2: each scheme has one row for each code and one for every other code", () => {
    for (const scheme of RETRY_SCHEMES) {
      const codes = RETRY_RULES.filter((rule) => rule.scheme === scheme).map(({ code }) => code);
      assert.equal(new Set(codes).size, codes.length);
      assert.equal(codes.filter((code) => code === null).length, 1);
      assert.equal(rowOf(scheme, "no such code")?.code, null);
      assert.equal(rowOf(scheme, "no such code")?.category, "any_time");
    }
    assert.equal(rowOf("visa", "51")?.ruleId, "visa_51");
    assert.equal(rowOf("visa", " 51")?.ruleId, "visa_any_other");
    assert.equal(rowOf("visa", "r0")?.ruleId, "visa_any_other");
  });

  it("RTRY-2: a scheme without a row has no rule for any code", () => {
    const others = CARD_NETWORKS.filter((network) => !RETRY_SCHEMES.some((scheme) => scheme === network));
    assert.deepEqual(others, ["amex", "discover", "verve", "other"]);
    for (const network of others) {
      for (const code of ["04", "51", "03", "24"]) assert.equal(rowOf(network, code), null);
    }
  });

  it("RTRY-4: Visa's category 1 and the names for it are the hard codes, and no other Visa code", () => {
    const never = RETRY_RULES.filter(({ scheme, category }) => scheme === "visa" && category === "never");
    assert.deepEqual(
      never.map(({ code, meaning, source, effectiveDate: date, codeKind: kind }) => ({
        code,
        kind,
        meaning,
        source,
        date,
      })),
      HARD_DECLINE_CODES.map(({ code, kind, meaning, source, date }) => ({
        code,
        kind,
        meaning,
        source,
        date,
      })),
    );
    assert.deepEqual(codesOf("visa", "never"), "04 07 12 14 15 41 43 46 57 R0 R1 R3".split(" "));
  });

  it("RTRY-3: Visa's categories 2 and 3 are as published", () => {
    assert.deepEqual(
      codesOf("visa", "later"),
      "03 19 39 51 52 53 59 5C 61 62 65 75 78 86 91 93 96 9G N3 N4 Z5".split(" "),
    );
    assert.deepEqual(codesOf("visa", "after_change"), "1A 54 55 6P 70 82 N7".split(" "));
  });

  it("RTRY-4: of Mastercard's advice codes only 03 and 21 rule another attempt out", () => {
    assert.deepEqual(codesOf("mastercard", "never"), ["03", "21"]);
    assert.equal(rowOf("mastercard", "do_not_try_again")?.category, "never");
    assert.deepEqual(codesOf("mastercard", "after_change"), ["01", "04", "05", "22"]);
  });

  it("RTRY-5: the limits are those of the scheme in every row but those of never", () => {
    const visa = [{ attempts: 20, windowSeconds: 30 * DAY_SECONDS }];
    const mastercard = [
      { attempts: 10, windowSeconds: DAY_SECONDS },
      { attempts: 35, windowSeconds: 30 * DAY_SECONDS },
    ];
    for (const { ruleId, scheme, category, limits } of RETRY_RULES) {
      const expected = category === "never" ? [] : scheme === "visa" ? visa : mastercard;
      assert.deepEqual(limits, expected, ruleId);
    }
    const all = RETRY_RULES.flatMap(({ limits }) => limits);
    assert.equal(Math.max(...all.map(({ attempts }) => attempts)), LIMITS.retryAttemptsMax);
    assert.equal(
      Math.max(...all.map(({ windowSeconds }) => windowSeconds)),
      LIMITS.retryAttemptsWindowSeconds,
    );
  });

  it("RTRY-6: only Mastercard's 24 to 30 ask for a wait", () => {
    const waits = RETRY_RULES.filter(({ waitSeconds }) => waitSeconds > 0);
    assert.deepEqual(
      waits.map(({ scheme, code, category, waitSeconds }) => [scheme, code, category, waitSeconds / 3600]),
      [
        ["mastercard", "24", "later", 1],
        ["mastercard", "25", "later", 24],
        ["mastercard", "26", "later", 48],
        ["mastercard", "27", "later", 96],
        ["mastercard", "28", "later", 144],
        ["mastercard", "29", "later", 192],
        ["mastercard", "30", "later", 240],
      ],
    );
  });
});
