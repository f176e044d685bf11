import { inEvaluationOrder } from "../../../../domain/policy/normal-form.js";
import type { Draft, RuleEdit } from "../draft/draft.js";
import { isSameThen, isSameWhen } from "../rules/same-rule.js";
import { thenWords, whenWords } from "../rules/words.js";

/** A changed field of a rule. */
export interface FieldChange {
  field: "name" | "position" | "enabled" | "when" | "then";
  before: string;
  after: string;
}

export type RuleChange =
  | { kind: "added" | "removed"; key: string; name: string; when: string; then: string }
  | { kind: "changed"; key: string; name: string; changes: FieldChange[] };

export interface PolicyDiff {
  defaultProvider: { before: string | null; after: string | null } | null;
  rules: RuleChange[];
  unchangedRules: number;
}

/** Lists the differences between two policies. A null `before` means that no policy was live. */
export function policyDiff(before: Draft | null, after: Draft): PolicyDiff {
  const old = inEvaluationOrder(before?.rules ?? []);
  const now = inEvaluationOrder(after.rules);
  const pairs = pairUp(old, now);
  const matched = new Set(pairs.values());
  // A rule that only shifts because others were added or removed has not moved. So positions are compared only among
  // the rules that both policies have.
  const stayedOld = old.filter((rule) => matched.has(rule));
  const stayedNow = now.filter((rule) => pairs.has(rule));
  const rules: RuleChange[] = [];
  let unchangedRules = 0;
  for (const rule of now) {
    const source = pairs.get(rule);
    if (source === undefined) {
      rules.push(whole("added", rule));
      continue;
    }
    const changes = changesOf(source, rule, stayedOld.indexOf(source), stayedNow.indexOf(rule));
    if (changes.length === 0) unchangedRules++;
    else rules.push({ kind: "changed", key: rule.key, name: rule.name, changes });
  }
  rules.push(...old.filter((rule) => !matched.has(rule)).map((rule) => whole("removed", rule)));
  const providers = { before: before?.defaultProvider ?? null, after: after.defaultProvider };
  return {
    defaultProvider: providers.before === providers.after ? null : providers,
    rules,
    unchangedRules,
  };
}

/** Pairs rules by rule_id, and then the remaining ones by name. */
export function pairUp(old: readonly RuleEdit[], now: readonly RuleEdit[]): Map<RuleEdit, RuleEdit> {
  const pairs = new Map<RuleEdit, RuleEdit>();
  const free = new Set(old);
  const take = (rule: RuleEdit, found: RuleEdit | undefined): void => {
    if (found === undefined) return;
    pairs.set(rule, found);
    free.delete(found);
  };
  for (const rule of now) {
    if (rule.ruleId !== undefined)
      take(
        rule,
        [...free].find(({ ruleId }) => ruleId === rule.ruleId),
      );
  }
  for (const rule of now) {
    if (!pairs.has(rule))
      take(
        rule,
        [...free].find(({ name }) => name === rule.name),
      );
  }
  return pairs;
}

function changesOf(before: RuleEdit, after: RuleEdit, from: number, to: number): FieldChange[] {
  const changes: FieldChange[] = [];
  const note = (field: FieldChange["field"], was: string, is: string, isSame = was === is): void => {
    if (!isSame) changes.push({ field, before: was, after: is });
  };
  note("name", before.name, after.name);
  note("position", String(from + 1), String(to + 1));
  note("enabled", before.enabled ? "on" : "off", after.enabled ? "on" : "off");
  note("when", whenWords(before.when), whenWords(after.when), isSameWhen(before.when, after.when));
  note("then", thenWords(before), thenWords(after), isSameThen(before.then, after.then));
  return changes;
}

function whole(kind: "added" | "removed", rule: RuleEdit): RuleChange {
  const { key, name, when, then } = rule;
  return { kind, key, name, when: whenWords(when), then: thenWords({ when, then }) };
}
