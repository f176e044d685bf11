import type { Conditions, RuleAction } from "../../../domain/policy/policy.js";
import type { ProviderId } from "../../../domain/vocabulary/decision-request.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { lowerAction } from "./lower/lower-command.js";
import { type Lowered, currencyOf, lowerConjunction, refused } from "./lower/lower-conditions.js";
import { mergeConditions } from "./lower/merge-conditions.js";
import { normalizeSentence } from "./words/normalize-sentence.js";
import { type Antecedent, antecedentOf, asBounds, fullConditions, noneOf } from "./otherwise.js";
import { readStatements, withOutcome } from "./read/read-statements.js";
import { type ScopedStatement, scopeStatements } from "./scope-statements.js";
import { parseSentence } from "./grammar/sentence-grammar.js";
import type { Condition, RuleCommand, Word } from "./grammar/syntax.js";

/** `text` is the part of the sentence that the statement comes from, as it was written. */
export type TranslatedStatement =
  | { kind: "rule"; when: Conditions; then: RuleAction; text: string }
  | { kind: "default_provider"; provider: ProviderId };

export interface TranslatedSentence {
  readonly statements: readonly TranslatedStatement[];
  /** The cases that an "otherwise" in the next sentence refers to. */
  readonly antecedent: Antecedent | null;
}

/** Translates one sentence if it is understood as a whole, and otherwise returns the reason. */
export function translateSentence(
  sentence: string,
  providers: ReadonlySet<ProviderId>,
  before: Antecedent | null,
): Lowered<TranslatedSentence> {
  if (sentence.length > LIMITS.translateSentenceCharsMax) return refused("too_long");
  const normalized = normalizeSentence(sentence, providers);
  if (!normalized.ok) return normalized;
  const tree = normalized.words.length === 0 ? null : parseSentence(normalized.words);
  if (tree === null) return refused("not_understood");
  const scoped = scopeStatements(readStatements(tree));
  if (scoped === null) return refused("not_understood");

  const statements: TranslatedStatement[] = [];
  let antecedent = before;
  for (const group of caseByCase(scoped)) {
    const isOtherwise = group[0].joinedBy === "otherwise";
    const earlier = isOtherwise ? antecedent : null;
    // "Otherwise block and …": the sentence leaves open whether the second statement belongs to "otherwise".
    if (isOtherwise && (earlier === null || group.length > 1)) return refused("not_understood");
    if (earlier !== null) group[0] = { ...group[0], conditions: fullConditions(group[0], earlier) };
    for (const statement of group) {
      const lowered = earlier === null ? lowerStatement(statement) : lowerOtherwise(statement, earlier);
      if (!lowered.ok) return lowered;
      const translated = lowered.value;
      statements.push(
        translated.kind === "rule"
          ? { ...translated, text: statementText(sentence, normalized.words, scoped, statement) }
          : translated,
      );
    }
    antecedent = antecedentOf(group, earlier);
  }
  return { ok: true, value: { statements, antecedent } };
}

type StatementGroup = [ScopedStatement, ...ScopedStatement[]];

/** Splits the statements into those before the first "otherwise" and, for each "otherwise", those that follow it. */
function caseByCase(statements: readonly ScopedStatement[]): StatementGroup[] {
  const groups: StatementGroup[] = [];
  for (const statement of statements) {
    const group = groups.at(-1);
    if (group === undefined || statement.joinedBy === "otherwise") groups.push([statement]);
    else group.push(statement);
  }
  return groups;
}

type LoweredStatement =
  | { kind: "rule"; when: Conditions; then: RuleAction }
  | { kind: "default_provider"; provider: ProviderId };

function lowerOtherwise(statement: ScopedStatement, antecedent: Antecedent): Lowered<LoweredStatement> {
  if (statement.hasPronoun && antecedent.narrowsPayments) return refused("not_understood");
  const conditions = [...statement.conditions, noneOf(antecedent)];
  const lowered = lowerStatement({ ...statement, conditions });
  if (!lowered.ok || lowered.value.kind !== "rule") return lowered;
  return { ok: true, value: { ...lowered.value, when: asBounds(lowered.value.when) } };
}

function lowerStatement({ command, conditions, namesAll }: ScopedStatement): Lowered<LoweredStatement> {
  if (command.kind === "default_provider") {
    // A default provider cannot have a condition. A sentence that gives it one is therefore not understood.
    if (conditions.length > 0) return refused("not_understood");
    return { ok: true, value: { kind: "default_provider", provider: command.provider } };
  }
  return lowerRule(command, conditions, namesAll);
}

function lowerRule(
  command: RuleCommand,
  conditions: readonly Condition[],
  namesAll: boolean,
): Lowered<LoweredStatement> {
  const action = lowerAction(withOutcome(command, conditions), currencyOf(conditions));
  if (!action.ok) return action;
  const { then, currency } = action.value;
  const loweredConditions = lowerConjunction(conditions);
  if (!loweredConditions.ok) return loweredConditions;
  // A limit in money is in the payment's currency, so the rule also requires that currency.
  const when = mergeConditions([
    loweredConditions.value,
    currency === null ? {} : { currency_in: [currency] },
  ]);
  if (when === null) return refused("contradiction");
  if (Object.keys(when).length === 0 && STOPS_PAYMENTS.has(then.type) && !namesAll) {
    return refused("unconditional");
  }
  return { ok: true, value: { kind: "rule", when, then } };
}

/** Actions that would stop all of a merchant's business if half of a sentence were lost. */
const STOPS_PAYMENTS: ReadonlySet<RuleAction["type"]> = new Set(["block", "hold", "step_up"]);

/** Returns the words of a statement. If an earlier statement contains its lead, the words of that lead come first. */
function statementText(
  sentence: string,
  words: readonly Word[],
  statements: readonly ScopedStatement[],
  statement: ScopedStatement,
): string {
  if (statements.length === 1) return sentence;
  const startOf = (at: number | undefined): number => words[at ?? words.length]?.start ?? sentence.length;
  const index = statements.findIndex(({ at }) => at === statement.at);
  const leader = statements[statement.ledBy];
  const lead =
    leader === undefined || statement.ledBy === index
      ? ""
      : sentence.slice(startOf(leader.at), startOf(leader.commandAt));
  const from =
    statement.joinedBy === "otherwise" || statement.lead !== null ? statement.at : statement.commandAt;
  return lead + sentence.slice(startOf(from), startOf(statements[index + 1]?.at)).replace(/^[,\s]+/, "");
}
