import type { Word } from "../grammar/syntax.js";

const WHOLE = String.raw`(?<=^| )`;
const AT = "(?:on|with|at|via|by)";
const FAILURE = String.raw`(?:outcome:\S+|decline|failed|tried)`;

/**
 * The places where "it" must be a provider: only a provider has a health state, can be excluded, or executes attempts.
 */
const PROVIDER_PRONOUNS = new RegExp(
  [
    `${WHOLE}it(?= is (?:not )?health:)`,
    `${WHOLE}its(?= (?:health|state) is (?:not )?health:)`,
    String.raw`(?<=(?:^| )(?:exclude|avoid|use|onlyuse|prefer) )it(?= |$)(?! payment)`,
    `(?<= (?:to|via) )it(?= |$)(?! is)`,
    `(?<= (?:prevattempt|attempts|${FAILURE}) ${AT} )it(?= |$)`,
    `(?<= failedwith )it(?= |$)`,
    // "Exclude provider_1 if it timed out": the sentence does not mention another provider's timeout.
    String.raw`(?<=(?:^| )(?:exclude|avoid) provider:\S+ (?:if|after) )it(?= ${FAILURE})`,
  ].join("|"),
  "g",
);
/** "Exclude provider_2 when degraded" leaves out the provider before its health. */
const PROVIDER_LEFT_OUT = /(?<=(?:^| )if )(?=(?:not )?health:)/g;

/** Matches the last exclusion that begins before a pronoun, up to the pronoun. */
const LAST_EXCLUSION = /(?:^| )(?:exclude|avoid) (?!.* (?:exclude|avoid) ).*$/;

/**
 * Replaces a pronoun by its provider, if that is clear. It is clear if the sentence names only one provider, if only
 * one stands before the pronoun, or if the last exclusion before it names only one.
 */
export function resolvePronouns(words: readonly Word[]): readonly Word[] {
  const text = words.map((word) => word.text).join(" ");
  const providers = Array.from(text.matchAll(/(?<=^| )provider:\S+/g), ({ 0: id, index }) => ({ id, index }));
  if (providers.length === 0) return words;
  const providerMeantAt = (at: number): string | null => {
    const excludedFrom = LAST_EXCLUSION.exec(text.slice(0, at))?.index ?? at;
    const before = providers.filter(({ index }) => index < at);
    return onlyOf(providers) ?? onlyOf(before) ?? onlyOf(before.filter(({ index }) => index > excludedFrom));
  };

  const edited = [...words];
  // Edits run from the end to the start, so that earlier matches keep their positions.
  for (const { 0: found, index } of [
    ...text.matchAll(PROVIDER_PRONOUNS),
    ...text.matchAll(PROVIDER_LEFT_OUT),
  ].toSorted((a, b) => b.index - a.index)) {
    const provider = providerMeantAt(index);
    if (provider === null) continue;
    const at = text.slice(0, index).split(" ").length - 1;
    const { start } = words[at] as Word;
    if (found === "") edited.splice(at, 0, { text: provider, start }, { text: "is", start });
    else edited[at] = { text: provider, start };
  }
  return edited;
}

function onlyOf(providers: readonly { readonly id: string }[]): string | null {
  const [only, ...more] = new Set(providers.map(({ id }) => id));
  return only !== undefined && more.length === 0 ? only : null;
}
