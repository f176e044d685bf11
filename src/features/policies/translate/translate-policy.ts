import type { Rule } from "../../../domain/policy/policy.js";
import type { ProviderId } from "../../../domain/vocabulary/decision-request.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { ruleName, unusedName } from "./rule-name.js";
import { splitSentences } from "./words/split-sentences.js";
import type { Antecedent } from "./otherwise.js";
import { translateSentence } from "./translate-sentence.js";
import { type TranslationWarning, translationWarning } from "./grammar/translation-warning.js";

/** A rule in the API's wire form. The validator fills in rule_id, enabled and priority. */
export type RuleDraft = Pick<Rule, "name" | "when" | "then">;

export interface Translation {
  rules: RuleDraft[];
  default_provider?: ProviderId;
  warnings: TranslationWarning[];
}

/** Matches a sentence that continues the one before it. The earlier sentence alone is then not the whole statement. */
const CONTINUATION =
  /^(?:and|or|but|except|excepting|excluding|unless|however|not|never|without|only|if|when|where|while|for|from|in|with|over|under|above|below|on|at|by|otherwise|then|also|apart|other|this|that|those|these|them|it)\b/i;

/**
 * TRANS-4: turns plain English into rules. Each sentence is either understood as a whole or named in `warnings`. The
 * translation is deterministic, rule-based and bounded. The text's length bounds the sentences, and `LIMITS.translate…`
 * bound the parsing.
 */
export function translatePolicy(text: string, providers: readonly ProviderId[]): Translation {
  const known = new Set(providers);
  const translation: Translation = { rules: [], warnings: [] };
  const names = new Set<string>();
  let parsedChars = 0;
  let previous: { undo(): void; index: number; antecedent: Antecedent | null } | null = null;

  for (const [index, sentence] of splitSentences(text).entries()) {
    const warn = (code: TranslationWarning["code"], at = index): void => {
      translation.warnings.push(translationWarning(at, code));
    };
    parsedChars += Math.min(sentence.length, LIMITS.translateSentenceCharsMax);
    if (index >= LIMITS.translateSentencesMax || parsedChars > LIMITS.translateParsedCharsMax) {
      warn("too_much_text");
      break;
    }
    if (translation.rules.length >= LIMITS.rulesPerPolicyMax) {
      warn("too_many_rules");
      continue;
    }
    const translated = translateSentence(sentence, known, previous?.antecedent ?? null);
    if (!translated.ok) {
      if (previous !== null && CONTINUATION.test(sentence)) {
        previous.undo();
        warn("changed_by_next", previous.index);
      }
      previous = null;
      warn(translated.code);
      continue;
    }
    const { statements, antecedent } = translated.value;
    const rulesBefore = translation.rules.length;
    const defaultBefore = translation.default_provider;
    if (rulesBefore + statements.filter(({ kind }) => kind === "rule").length > LIMITS.rulesPerPolicyMax) {
      previous = null;
      warn("too_many_rules");
      continue;
    }
    for (const statement of statements) {
      if (statement.kind === "rule") {
        const name = unusedName(ruleName(statement.text), names);
        names.add(name);
        translation.rules.push({ name, when: statement.when, then: statement.then });
      } else if (translation.default_provider === undefined) {
        translation.default_provider = statement.provider;
      } else if (translation.default_provider !== statement.provider) warn("second_default");
    }
    const undo = (): void => {
      translation.rules.length = rulesBefore;
      if (defaultBefore === undefined) delete translation.default_provider;
    };
    const isNew = translation.rules.length > rulesBefore || translation.default_provider !== defaultBefore;
    previous = isNew ? { undo, index, antecedent } : null;
  }
  return translation;
}
