import { CONDITION_GROUPS } from "../../../domain/policy/condition-vocabulary.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { joinPath } from "../../../platform/wire/json-text.js";
import type { ValidationIssue } from "../../../platform/wire/validation-issue.js";

/**
 * COND-2: limits the depth and the number of the conditions in a `when`. This check comes before the schema, because
 * the schema follows nested lists without a limit. The schema reports a group that is not a list.
 */
export function conditionsIssues(when: object, path: string): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  const keys = countKeys(when, path, 1, issues);
  if (keys > LIMITS.conditionKeysPerRuleMax) {
    issues.push({
      path,
      code: "too_big",
      message: `Must hold at most ${LIMITS.conditionKeysPerRuleMax} conditions, nested ones included`,
    });
  }
  return issues;
}

/**
 * An empty condition object counts as one condition, because it is evaluated too. `level` is the depth of a list in
 * `when`.
 */
function countKeys(when: object, path: string, level: number, issues: ValidationIssue[]): number {
  let keys = Math.max(1, Object.keys(when).length);
  for (const name of CONDITION_GROUPS) {
    const list: unknown = Object.hasOwn(when, name) ? (when as Record<string, unknown>)[name] : undefined;
    if (!Array.isArray(list)) continue;
    const listPath = joinPath(path, name);
    if (level > LIMITS.conditionLevelsMax) {
      const message = `Nested deeper than ${LIMITS.conditionLevelsMax} levels`;
      if (issues.length < LIMITS.validationIssuesMax)
        issues.push({ path: listPath, code: "custom", message });
      continue;
    }
    for (const [index, branch] of list.entries()) {
      if (keys > LIMITS.conditionKeysPerRuleMax) break;
      if (typeof branch === "object" && branch !== null) {
        keys += countKeys(branch as object, joinPath(listPath, String(index)), level + 1, issues);
      }
    }
  }
  return keys;
}
