import { isolated } from "../../../design/base/isolated.js";
import { inEvaluationOrder } from "../../../../domain/policy/normal-form.js";
import { asShown, type Draft, type RuleEdit } from "../draft/draft.js";
import { pairUp } from "./policy-diff.js";
import { isSameRule, isSameThen, isSameWhen } from "../rules/same-rule.js";

export interface Merge {
  draft: Draft;
  /** One sentence for each part that both sides changed in different ways. It says whose change the draft has. */
  clashes: readonly string[];
}

/** A rule of the result, and the rule that it comes from on each side. */
interface Merged {
  rule: RuleEdit;
  theirs: RuleEdit | undefined;
  mine: RuleEdit | undefined;
}

/**
 * Takes the changes that lead from `base` to `mine`, and applies them to `theirs`. Both `mine` and `theirs` began at
 * `base`.
 */
export function mergeDrafts(base: Draft, theirs: Draft, mine: Draft): Merge {
  const old = inEvaluationOrder(base.rules);
  const live = inEvaluationOrder(theirs.rules);
  const own = inEvaluationOrder(mine.rules);
  const clashes: string[] = [];
  const merged = mergeRules(old, live, own, clashes);
  const isOrderMine = hasMoved(old, own);
  if (isOrderMine && hasMoved(old, live) && hasMoved(live, own))
    clashes.push("Both put the rules in another order. The draft has yours.");
  const rules = isOrderMine ? arrange(merged, own, live, "mine") : arrange(merged, live, own, "theirs");
  const defaultProvider = pick(
    base.defaultProvider,
    theirs.defaultProvider,
    mine.defaultProvider,
    equal,
    () => clashes.push("Both changed the default provider. The draft has yours."),
  );
  const name = pick(base.name, theirs.name, mine.name, equal, () => undefined);
  return { draft: { name, defaultProvider, rules: asShown(rules) }, clashes };
}

function mergeRules(
  old: readonly RuleEdit[],
  live: readonly RuleEdit[],
  own: readonly RuleEdit[],
  clashes: string[],
): Merged[] {
  const liveOf = inverse(pairUp(old, live));
  const ownOf = inverse(pairUp(old, own));
  const merged: Merged[] = [];
  const keep = (rule: RuleEdit, theirs?: RuleEdit, mine?: RuleEdit): void => {
    merged.push({ rule, theirs, mine });
  };
  for (const before of old) {
    const theirs = liveOf.get(before);
    const mine = ownOf.get(before);
    if (theirs !== undefined && mine !== undefined) {
      keep(mergeRule(before, theirs, mine, clashes), theirs, mine);
    } else if (theirs !== undefined && !isSameRule(before, theirs)) {
      clashes.push(`“${isolated(before.name)}” was changed there and removed by you. It stays in the draft.`);
      keep(theirs, theirs);
    } else if (mine !== undefined && !isSameRule(before, mine)) {
      clashes.push(`“${isolated(before.name)}” was removed there and changed by you. It stays in the draft.`);
      keep(mine, undefined, mine);
    }
  }
  const ownAdded = added(own, ownOf);
  for (const theirs of added(live, liveOf)) {
    const mine = [...ownAdded].find(({ ruleId }) => ruleId !== undefined && ruleId === theirs.ruleId);
    if (mine !== undefined) {
      ownAdded.delete(mine);
      if (!isSameRule(theirs, mine))
        clashes.push(`“${isolated(mine.name)}” was added there and by you. The draft has yours.`);
    }
    keep(mine ?? theirs, theirs, mine);
  }
  for (const mine of ownAdded) keep(mine, undefined, mine);
  return merged;
}

/** Merges a rule field by field, because two people may have changed different fields of it. */
function mergeRule(before: RuleEdit, theirs: RuleEdit, mine: RuleEdit, clashes: string[]): RuleEdit {
  const clash = (what: string) => (): void => {
    clashes.push(`Both changed ${what} of “${isolated(before.name)}”. The draft has yours.`);
  };
  return {
    ...theirs,
    key: mine.key,
    name: pick(before.name, theirs.name, mine.name, equal, clash("the name")),
    enabled: pick(before.enabled, theirs.enabled, mine.enabled, equal, clash("the switch")),
    when: pick(before.when, theirs.when, mine.when, isSameWhen, clash("the conditions")),
    then: pick(before.then, theirs.then, mine.then, isSameThen, clash("the action")),
  };
}

function pick<T>(base: T, theirs: T, mine: T, isSame: (a: T, b: T) => boolean, onClash: () => void): T {
  if (isSame(base, mine)) return theirs;
  if (!isSame(base, theirs) && !isSame(theirs, mine)) onClash();
  return mine;
}

const equal = <T>(a: T, b: T): boolean => a === b;

function added(rules: readonly RuleEdit[], ofOld: ReadonlyMap<RuleEdit, RuleEdit>): Set<RuleEdit> {
  const known = new Set(ofOld.values());
  return new Set(rules.filter((rule) => !known.has(rule)));
}

function inverse<T>(pairs: ReadonlyMap<T, T>): Map<T, T> {
  return new Map([...pairs].map(([from, to]) => [to, from]));
}

/** Returns whether the rules that both lists have are in a different order. */
function hasMoved(before: readonly RuleEdit[], after: readonly RuleEdit[]): boolean {
  const pairs = pairUp(before, after);
  const places = after.flatMap((rule) => {
    const source = pairs.get(rule);
    return source === undefined ? [] : [before.indexOf(source)];
  });
  return places.some((place, index) => index > 0 && place < (places[index - 1] as number));
}

/** Sorts the rules in the order of `first`. A rule that is only in `second` follows its predecessor in `second`. */
function arrange(
  merged: readonly Merged[],
  first: readonly RuleEdit[],
  second: readonly RuleEdit[],
  firstSide: "theirs" | "mine",
): RuleEdit[] {
  const secondSide = firstSide === "mine" ? "theirs" : "mine";
  const place = (one: Merged): number => {
    const rule = one[firstSide];
    return rule === undefined ? -1 : first.indexOf(rule);
  };
  const list = merged.filter((one) => one[firstSide] !== undefined).toSorted((a, b) => place(a) - place(b));
  let behind = 0;
  for (const rule of second) {
    const one = merged.find((candidate) => candidate[secondSide] === rule);
    if (one === undefined) continue;
    const at = list.indexOf(one);
    if (at === -1) list.splice(behind, 0, one);
    behind = (at === -1 ? behind : at) + 1;
  }
  return list.map(({ rule }) => rule);
}
