import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { splitSentences } from "../../../../../src/features/policies/translate/words/split-sentences.js";
import { translatePolicy } from "../../../../../src/features/policies/translate/translate-policy.js";
import { PROVIDER_IDS } from "../../../../support/generators/arbitraries.js";
import { CORPUS } from "./corpus.js";

/** Words that reverse the meaning of a sentence or of a part of it. */
const DENIALS = ["not", "except", "unless", "never", "without", "no", "non", "neither", "outside"];
const CONTAINS_DENIAL =
  /\b(?:not|don't|doesn't|never|no|non|except|unless|without|outside|but|exclude|only|restrict|limit)\b/i;

/**
 * Words without which a sentence means the same: nouns that its verb or its conditions imply, prepositions, articles,
 * courtesy words, and words that only the longer name of a thing has, such as "manual" in "manual review".
 */
const FILLERS = new Set(
  (
    "payments payment orders order transactions transaction traffic customers customer buyers we the a an " +
    "in of to on at with from for by as is was should when where after it all every and those whose has that minimum method purchases any anything everything then if between made " +
    "paying spending amounts provider providers route send set keep always using " +
    "score manual reason fees maximum last previous country risk band mode level merchant supplied " +
    "remaining review rate lowest require but decline processing worth amount total who failed already code decisions it's carts checkouts this rule codes reasons via"
  ).split(" "),
);

/** Verbs that a statement may omit if the previous one has them: "use provider_1 for visa, otherwise provider_2". */
const VERBS_SAID_ONCE = new Set(["prefer", "use", "avoid", "exclude"]);

function meaning(text: string) {
  const { rules, default_provider } = translatePolicy(text, PROVIDER_IDS);
  return { rules: rules.map(({ when, then }) => ({ when, then })), default_provider };
}

const UNDERSTOOD = CORPUS.filter(
  ({ text, warning }) => warning === undefined && splitSentences(text).length === 1,
).map(({ text }) => text);
const PLAIN = UNDERSTOOD.filter((text) => !CONTAINS_DENIAL.test(text));

/** The words of a sentence, and a random place among them. */
function placeIn(texts: readonly string[], last: 0 | 1): fc.Arbitrary<{ words: string[]; at: number }> {
  return fc.constantFrom(...texts).chain((text) => {
    const words = text.split(" ");
    return fc.nat({ max: words.length - last }).map((at) => ({ words, at }));
  });
}

/** The meanings of the corpus, because each is compared with many mutations. */
const meanings = new Map<string, ReturnType<typeof meaning>>();
function knownMeaning(text: string): ReturnType<typeof meaning> {
  const known = meanings.get(text) ?? meaning(text);
  meanings.set(text, known);
  return known;
}

const changes = (words: readonly string[], mutated: readonly string[]): void =>
  assert.ok(
    !isDeepStrictEqual(meaning(mutated.join(" ")), knownMeaning(words.join(" "))),
    `"${mutated.join(" ")}" was read as "${words.join(" ")}"`,
  );

describe("translate: never a rule that says something else", () => {
  it("TRANS-2: reads no sentence the same with a denial put in anywhere", () => {
    fc.assert(
      fc.property(placeIn(PLAIN, 0), fc.constantFrom(...DENIALS, "only"), ({ words, at }, word) => {
        changes(words, words.toSpliced(at, 0, word));
      }),
      { numRuns: 700 },
    );
  });

  it("reads no sentence the same with any of its words replaced by a denial", () => {
    fc.assert(
      fc.property(placeIn(PLAIN, 1), fc.constantFrom(...DENIALS), ({ words, at }, word) => {
        changes(words, words.with(at, word));
      }),
      { numRuns: 700 },
    );
  });

  it("reads no sentence the same without one of its words, but for the declared fillers", () => {
    fc.assert(
      fc.property(placeIn(UNDERSTOOD, 1), ({ words, at }) => {
        const word = (words[at] as string).toLowerCase().replace(/[,.]$/, "");
        const before = words.slice(0, at).map((one) => one.toLowerCase());
        fc.pre(!FILLERS.has(word) && !(VERBS_SAID_ONCE.has(word) && before.includes(word)));
        changes(words, words.toSpliced(at, 1));
      }),
      { numRuns: 700 },
    );
  });

  it("takes a sentence with a word it does not know for nothing at all", () => {
    fc.assert(
      fc.property(
        placeIn(UNDERSTOOD, 0),
        fc.constantFrom("hardly", "xyzzy", "sometimes", "!", "?", "(", "-", "#"),
        ({ words, at }, word) => {
          const { rules, default_provider, warnings } = translatePolicy(
            words.toSpliced(at, 0, word).join(" "),
            PROVIDER_IDS,
          );
          assert.deepEqual([rules, default_provider, warnings.length], [[], undefined, 1]);
        },
      ),
      { numRuns: 400 },
    );
  });

  it("makes of a text with a word it does not know no rule that it does not make without, and warns", () => {
    const texts = CORPUS.filter(({ warning }) => warning === undefined).map(({ text }) => text);
    fc.assert(
      fc.property(
        placeIn(texts, 0),
        fc.constantFrom("hardly", "xyzzy", "sometimes", "(", "#"),
        ({ words, at }, word) => {
          const known = knownMeaning(words.join(" ")).rules;
          const { rules, warnings } = translatePolicy(words.toSpliced(at, 0, word).join(" "), PROVIDER_IDS);
          assert.ok(warnings.length > 0);
          for (const { when, then } of rules) {
            assert.ok(known.some((one) => isDeepStrictEqual(one, { when, then })));
          }
        },
      ),
      { numRuns: 400 },
    );
  });
});
