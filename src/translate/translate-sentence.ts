import type { Conditions, RuleAction } from "../policy/policy.js";
import type { ProviderId } from "../shared/decision-request.js";
import { LIMITS } from "../shared/limits.js";
import { lowerAction } from "./lower-command.js";
import { type Lowered, currencyOf, lowerConjunction, refused } from "./lower-conditions.js";
import { mergeConditions } from "./merge-conditions.js";
import { normalizeSentence } from "./normalize-sentence.js";
import { readCommand } from "./read-command.js";
import { readConditions } from "./read-conditions.js";
import { type Tree, contains, parseSentence } from "./sentence-grammar.js";
import type { Command, Condition, SentenceSyntax } from "./syntax.js";

export type TranslatedSentence =
  | { kind: "rule"; when: Conditions; then: RuleAction }
  | { kind: "default_provider"; provider: ProviderId };

/** One sentence, wholly understood, or why not. */
export function translateSentence(
  sentence: string,
  providers: ReadonlySet<ProviderId>,
): Lowered<TranslatedSentence> {
  if (sentence.length > LIMITS.translateSentenceCharsMax) return refused("too_long");
  const normalized = normalizeSentence(sentence, providers);
  if (!normalized.ok) return normalized;
  const tree = normalized.text === "" ? null : parseSentence(normalized.text);
  if (tree === null) return refused("not_understood");
  const { command, conditions } = readSentence(tree);
  if (command.kind === "default_provider") {
    return { ok: true, value: { kind: "default_provider", provider: command.provider } };
  }
  const action = lowerAction(command, currencyOf(conditions));
  if (!action.ok) return action;
  const { then, currency } = action.value;
  const asked = lowerConjunction(conditions);
  if (!asked.ok) return asked;
  // A limit in money is in the payment's currency, so the rule asks for that one.
  const when = mergeConditions([asked.value, currency === null ? {} : { currency_in: [currency] }]);
  if (when === null) return refused("contradiction");
  if (Object.keys(when).length === 0 && STOPS_PAYMENTS.has(then.type) && !namesAll(tree)) {
    return refused("unconditional");
  }
  return { ok: true, value: { kind: "rule", when, then } };
}

/** Actions that would stop a merchant's whole business if half a sentence were lost. */
const STOPS_PAYMENTS: ReadonlySet<RuleAction["type"]> = new Set(["block", "hold", "step_up"]);

function namesAll(tree: Tree): boolean {
  return contains(tree, "all") || contains(tree, "everything");
}

function readSentence(sentence: Tree): SentenceSyntax {
  const form = sentence.children[0] as Tree;
  const conditions = form.children.flatMap((part) =>
    part.rule === "Command" ? commandConditions(part) : readConditions(part),
  );
  return withLead(readCommand(sentence), conditions);
}

/** The parts of a command that hold conditions; its other parts are the command's own. */
const CONDITION_PARTS = new Set(["Scope", "Target", "Tail", "ForTarget", "SampleShare"]);

function commandConditions(tree: Tree): Condition[] {
  if (CONDITION_PARTS.has(tree.rule)) return readConditions(tree);
  return tree.children.flatMap(commandConditions);
}

/** "If the previous attempt timed out, retry": the condition names the outcome the retry is for. */
function withLead(command: Command, conditions: readonly Condition[]): SentenceSyntax {
  if (command.kind !== "retry" || command.outcome !== null) return { command, conditions };
  const [outcome, ...more] = conditions.flatMap((condition) =>
    condition.kind === "keys" ? (condition.when.previous_outcome_in ?? []) : [],
  );
  return { command: { ...command, outcome: more.length > 0 ? null : (outcome ?? null) }, conditions };
}
