import type { Command, Condition, RuleCommand, StatementSyntax } from "./grammar/syntax.js";

/** A command after `withVerbs` has completed the commands that leave out their verb. */
type FullCommand = RuleCommand | Extract<Command, { kind: "default_provider" }>;
interface FullStatement extends StatementSyntax {
  readonly command: FullCommand;
}

/**
 * A statement with all of its conditions. A condition at the front of the sentence applies to each statement that it
 * leads.
 */
export interface ScopedStatement extends FullStatement {
  readonly conditions: readonly Condition[];
  /** The index of the statement whose lead this one shares, or its own index when it shares none. */
  readonly ledBy: number;
}

/** These commands have a trigger of their own or none at all, so they do not continue the statement before. */
const STANDS_ALONE: ReadonlySet<string> = new Set([
  "default_provider",
  "retry",
  "retry_within_scheme_rules",
  "no_retry",
]);
const standsAlone = ({ command }: FullStatement): boolean =>
  STANDS_ALONE.has(command.kind === "action" ? command.then.type : command.kind);

/**
 * Assigns the conditions to the statements. Returns null if English leaves the assignment open. For example, "in NG"
 * may refer to both parts of "prefer provider_1 and exclude provider_2 in NG".
 */
export function scopeStatements(elliptic: readonly StatementSyntax[]): ScopedStatement[] | null {
  const statements = withVerbs(elliptic);
  if (statements === null) return null;
  const scoped: ScopedStatement[] = [];
  let leader: number | null = null;
  let hasLeft = false;
  for (const [i, statement] of statements.entries()) {
    if (statement.lead !== null) leader = i;
    else if (statement.joinedBy === "otherwise") leader = null;
    const isLed = leader !== null && leader !== i;
    const leaves = isLed && statement.command.kind === "default_provider";
    // A default provider never belongs to a lead. It is unclear whether the statement after it still belongs to the
    // lead.
    if (isLed && (hasLeft || !staysClear(statement))) return null;
    hasLeft ||= leaves;
    const lead = leader === null || leaves ? null : (statements[leader]?.lead ?? null);
    const before = statements.slice(0, i);
    if (!isLed && isOpen(before, statement)) return null;
    if (isUnclearPronoun(before, statement, lead !== null)) return null;
    scoped.push({
      ...statement,
      conditions: [...(lead ?? []), ...statement.own],
      ledBy: lead === null ? i : (leader as number),
    });
  }
  return scoped;
}

/** In "prefer provider_1 for visa and provider_2 for amex", the second statement uses the verb of the first. */
function withVerbs(statements: readonly StatementSyntax[]): FullStatement[] | null {
  const full: FullStatement[] = [];
  for (const statement of statements) {
    const before = full.at(-1);
    const { command } = statement;
    if (command.kind !== "same") full.push({ ...statement, command });
    else {
      const then = before?.command.kind === "action" ? before.command.then : null;
      if (before === undefined || then === null || !("providers" in then)) return null;
      const isPair = statement.own.length > 0 && before.own.length > 0;
      if (statement.joinedBy !== "otherwise" && !isPair) return null;
      if (command.verb === "send" && !before.sends) return null;
      full.push({
        ...statement,
        command: { kind: "action", then: { ...then, providers: command.providers } },
      });
    }
  }
  return full;
}

/** "If …, block guests, and default to provider_3": a default has no condition, and the comma ends the lead's scope. */
function staysClear({ command, joinedBy, own }: FullStatement): boolean {
  return command.kind === "default_provider"
    ? joinedBy !== "and"
    : !joinedBy.startsWith("comma") || own.length === 0;
}

/** True when a statement's condition may also be meant for its neighbour. */
function isOpen(before: readonly FullStatement[], statement: FullStatement): boolean {
  const isConditional = statement.own.length > 0;
  const { joinedBy } = statement;
  // This is the case of "block guests, if the risk score is above 80, hold new customers".
  if (joinedBy === "comma" && statement.lead !== null) return before.at(-1)?.lead === null;
  if (joinedBy === "start_and") return !isConditional && !standsAlone(statement);
  if (joinedBy === "otherwise" || joinedBy === "start") return false;
  // This is the case of "prefer provider_1 for visa and exclude provider_2".
  if (!isConditional && !statement.namesAll && !standsAlone(statement)) return before.some(reachesOn);
  if (joinedBy !== "and" || !isConditional) return false;
  // This is the case of "prefer provider_1 and exclude provider_2 in NG".
  if (!statement.namesPayments && before.some(isBare)) return true;
  // This is the case of "block guests and hold new customers if …".
  const last = before.at(-1);
  return statement.endsWithClause && statement.stops && last?.stops === true && !last.endsWithClause;
}

function reachesOn(statement: FullStatement): boolean {
  return statement.own.length > 0 && !statement.stops && !standsAlone(statement);
}

function isBare({ lead, own, command }: FullStatement): boolean {
  return lead === null && own.length === 0 && command.kind !== "default_provider";
}

/** True when "it" may mean only some payments: "hold payments from guests but block them over 5000 USD". */
function isUnclearPronoun(
  before: readonly FullStatement[],
  statement: FullStatement,
  isLed: boolean,
): boolean {
  if (!statement.hasPronoun) return false;
  // The antecedent of an "otherwise" decides what "it" or "them" refers to.
  const isBound = isLed || statement.endsWithClause || statement.joinedBy === "otherwise";
  return !isBound || before.some(narrowsPayments);
}

/** True when the conditions describe the named payments, and not when the statement applies. */
export function narrowsPayments({ own, endsWithClause, isMixed }: FullStatement): boolean {
  return own.length > 0 && (isMixed || !endsWithClause);
}
