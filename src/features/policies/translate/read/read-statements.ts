import { actionRow } from "../../../../domain/policy/action-rows.js";
import { COMMAND_RULES } from "../grammar/command-grammar.js";
import { readCommand } from "./read-command.js";
import { readConditions } from "./read-conditions.js";
import {
  type Tree,
  childOf,
  childrenOf,
  contains,
  requiredChild,
  valuesOf,
} from "../grammar/sentence-grammar.js";
import type { StatementSyntax, Condition, JoinedBy, RuleCommand } from "../grammar/syntax.js";

const JOINTS: Readonly<Record<string, JoinedBy>> = {
  Opening_otherwise: "otherwise",
  Opening_also: "start",
  Opening_more: "start_and",
  Joint_otherwise: "otherwise",
  Joint_but: "but",
  Joint_commaand: "comma_and",
  Joint_comma: "comma",
  Joint_and: "and",
};

/** Reads a `Sentence` statement by statement. */
export function readStatements(sentence: Tree): StatementSyntax[] {
  const form = sentence.children[0] as Tree;
  const opening = childOf(form, "Opening")?.children[0]?.rule ?? "";
  return [
    readStatement(requiredChild(form, "Statement"), JOINTS[opening] ?? "start", form.at),
    ...childrenOf(form, "NextStatement").map(readNextStatement),
  ];
}

function readNextStatement(next: Tree): StatementSyntax {
  const form = next.children[0] as Tree;
  const joint = requiredChild(form, "Joint").children[0] as Tree;
  const joinedBy = JOINTS[joint.rule] as JoinedBy;
  const statement = childOf(form, "Statement");
  if (statement !== undefined) return readStatement(statement, joinedBy, form.at);
  const verb = form.rule === "NextStatement_sent" ? "send" : "any";
  return {
    joinedBy,
    lead: null,
    own: commandConditions(form),
    command: { kind: "same", verb, providers: [...new Set(valuesOf(requiredChild(form, "Order")))] },
    stops: false,
    sends: verb === "send",
    namesPayments: verb === "send",
    namesAll: false,
    endsWithClause: false,
    isMixed: false,
    hasPronoun: contains(form, "it"),
    isElliptic: false,
    at: form.at,
    commandAt: joint.at + joint.children.length,
  };
}

function readStatement(statement: Tree, joinedBy: JoinedBy, at: number): StatementSyntax {
  const form = statement.children[0] as Tree;
  const lead = childOf(form, "Lead");
  const command = requiredChild(form, "Command");
  const subject = (command.children[0] as Tree).children[0] as Tree;
  const action = subject.children[0] as Tree;
  const endsWithClause = CLAUSE_PARTS.some((part) => contains(command, part));
  return {
    joinedBy,
    lead: lead === undefined ? null : readConditions(lead),
    own: commandConditions(command),
    command: readCommand(subject),
    stops: isIntervention(subject),
    sends: action.rule === "Prefer_send",
    namesPayments: namesPayments(action),
    namesAll: contains(form, "all") || contains(form, "everything"),
    endsWithClause,
    isMixed: (lead !== undefined || endsWithClause) && commandConditions(withoutClauses(command)).length > 0,
    hasPronoun: contains(form, "it"),
    isElliptic: (lead !== undefined || contains(command, "IfPart")) && !contains(form, "Target"),
    at,
    commandAt: command.at,
  };
}

function isIntervention({ rule }: Tree): boolean {
  const type = COMMAND_RULES.get(rule);
  return type !== undefined && actionRow(type).isIntervention === true;
}

/** The clauses "If …" and "unless …" at the end of a command. */
const CLAUSE_PARTS = ["IfPart", "IfEnd", "ExceptPart", "ExceptEnd"];

function withoutClauses(tree: Tree): Tree {
  const children = tree.children.filter(({ rule }) => !CLAUSE_PARTS.includes(rule));
  return { ...tree, children: children.map(withoutClauses) };
}

/**
 * "Hold payments over 500 USD" states which payments it means. "Use provider_1 for visa" leaves open which payments
 * "for visa" covers.
 */
function namesPayments(form: Tree): boolean {
  const scope = childOf(form, "Scope");
  return (
    childOf(form, "Target") !== undefined || (scope !== undefined && childOf(scope, "Target") !== undefined)
  );
}

/** The parts of a command that contain conditions. */
const CONDITION_PARTS = new Set(["Scope", "Target", "Tail", "ForTarget", "SampleShare", "Declined"]);

function commandConditions(tree: Tree): Condition[] {
  if (CONDITION_PARTS.has(tree.rule)) return readConditions(tree);
  return tree.children.flatMap(commandConditions);
}

/** "If the previous attempt timed out, retry": the condition names the outcome after which the rule retries. */
export function withOutcome(command: RuleCommand, conditions: readonly Condition[]): RuleCommand {
  if (command.kind !== "retry" || command.outcome !== null) return command;
  const [outcome, ...more] = conditions.flatMap((condition) =>
    condition.kind === "keys" ? (condition.when.previous_outcome_in ?? []) : [],
  );
  return { ...command, outcome: more.length > 0 ? null : (outcome ?? null) };
}
