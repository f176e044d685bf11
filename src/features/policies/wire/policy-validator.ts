import { lintPolicy } from "../linter/lint-policy.js";
import { normalRule, type WrittenAction } from "../../../domain/policy/normal-form.js";
import type { Conditions, Policy } from "../../../domain/policy/policy.js";
import type { ProviderId } from "../../../domain/vocabulary/decision-request.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { createValidator, type Validator } from "../../../platform/wire/body-validator.js";
import { actionIssues, actionSchemas } from "./policy-action-schema.js";
import { conditionsIssues } from "./policy-condition-rules.js";
import { createConditionsCheck } from "./policy-conditions-validator.js";
import { policySourceSchema, ruleSchema, type RuleFrame } from "./policy-schema.js";
import type { PolicyIssue, ValidationIssue } from "../../../platform/wire/validation-issue.js";

/**
 * The rules and default provider of a policy in normal form. Accepted spellings are resolved, and defaults and ids
 * are filled in.
 */
export type ValidPolicy = Pick<Policy, "default_provider" | "rules">;

export type PolicyValidation =
  | { ok: true; policy: ValidPolicy; warnings: PolicyIssue[] }
  | { ok: false; issues: PolicyIssue[] };

export interface PolicyValidator {
  /**
   * Validates `default_provider` and `rules` of JSON that nests at most `LIMITS.jsonLevelsMax` deep. Other members of
   * `source` are ignored. Returns at most `LIMITS.validationIssuesMax` errors, and the linter's warnings. Paths begin
   * with `rules` or `default_provider`. A policy in normal form is returned unchanged. `ruleIdOf` gives the id of a rule
   * without one, by its position. Without `ruleIdOf`, such an id is new each time.
   */
  validate(
    source: { default_provider?: unknown; rules?: unknown },
    ruleIdOf?: (index: number) => string,
  ): PolicyValidation;
}

export interface PolicyValidatorOptions {
  /** The providers of the deployment. */
  providers: readonly ProviderId[];
  /** The 26 characters of a new id. */
  nextId(): string;
}

/** A rule that passed every check. */
type WireRule = RuleFrame & { when: Conditions; then: WrittenAction };

/** Only the validator that lists all errors is compiled. It accepts valid policies just as fast. */
const RARE = { isRare: true };

/** POL-8: an accepted policy compiles, and never makes a decision fail. */
export function createPolicyValidator({ providers, nextId }: PolicyValidatorOptions): PolicyValidator {
  const source = createValidator<{ default_provider?: ProviderId | null; rules: unknown[] }>(
    policySourceSchema(providers),
    RARE,
  );
  const frame = createValidator<RuleFrame>(ruleSchema, RARE);
  const conditions = createConditionsCheck(providers);
  // Action types that share a schema share its compiled form.
  const compiled = new Map<unknown, Validator<object>>();
  const actions = new Map(
    Object.entries(actionSchemas(providers)).map(([spelling, schema]) => {
      const validator = compiled.get(schema) ?? createValidator<object>(schema, RARE);
      compiled.set(schema, validator);
      return [spelling, validator];
    }),
  );

  const thenIssues = (then: unknown, path: string): ValidationIssue[] => {
    const type = memberOf(then, "type") as string;
    const checked = actions.get(type)?.check(then, path);
    // For an unknown type, the schema of the rule reports the issue.
    if (checked === undefined) return [];
    return checked.ok ? actionIssues(then as WrittenAction, path) : checked.issues;
  };

  const whenIssues = (when: unknown, path: string): ValidationIssue[] => {
    if (typeof when !== "object" || when === null || Array.isArray(when)) return [];
    const shape = conditionsIssues(when, path);
    return shape.length > 0 ? shape : conditions(when, path);
  };

  const ruleIssues = (rule: unknown, path: string): ValidationIssue[] => {
    const checked = frame.check(rule, path);
    return [
      ...(checked.ok ? [] : checked.issues),
      ...whenIssues(memberOf(rule, "when"), `${path}.when`),
      ...thenIssues(memberOf(rule, "then"), `${path}.then`),
    ];
  };

  const newRuleId = (): string => `rule_${nextId()}`;

  const validate: PolicyValidator["validate"] = ({ default_provider, rules }, ruleIdOf = newRuleId) => {
    const members = {
      ...(default_provider === undefined ? {} : { default_provider }),
      ...(rules === undefined ? {} : { rules }),
    };
    const checked = source.check(members, "");
    const issues: ValidationIssue[] = checked.ok ? [] : [...checked.issues];
    // If a list is too long, no issues of its items are reported.
    const list: readonly unknown[] =
      Array.isArray(rules) && rules.length <= LIMITS.rulesPerPolicyMax ? rules : [];
    for (const [index, rule] of list.entries()) {
      if (issues.length >= LIMITS.validationIssuesMax) break;
      issues.push(...ruleIssues(rule, `rules.${index}`));
    }
    issues.push(...duplicateIds(list));
    if (issues.length > 0 || !checked.ok) {
      return { ok: false, issues: issues.slice(0, LIMITS.validationIssuesMax).map(asError) };
    }
    const valid = checked.value;
    const policy: ValidPolicy = {
      default_provider: valid.default_provider ?? null,
      rules: (valid.rules as WireRule[]).map((rule, index) => normalRule(rule, index, () => ruleIdOf(index))),
    };
    const warnings = lintPolicy(policy, providers).map(asWarning);
    return { ok: true, policy, warnings };
  };

  // Compiles the parts that every policy needs now, so that a later request does not wait. Each field and action
  // takes 1 to 10 ms at its first use. All of them would take 100 ms, and most processes use few.
  validate({ rules: [{ when: {}, then: {} }] });
  return { validate };
}

/** Returns `undefined` if the value has no own member of this name. */
function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** LINT-7: each `rule_id` is unique, because samples and explanations identify rules by it. */
function duplicateIds(rules: readonly unknown[]): ValidationIssue[] {
  const earlierIds = new Set<unknown>();
  return rules.flatMap((rule, index): ValidationIssue[] => {
    const id = memberOf(rule, "rule_id");
    if (typeof id !== "string" || !earlierIds.has(id)) {
      earlierIds.add(id);
      return [];
    }
    return [{ path: `rules.${index}.rule_id`, code: "custom", message: "Another rule has this rule_id" }];
  });
}

function asError({ path, code, message }: ValidationIssue): PolicyIssue {
  return { path, code, message, severity: "error" };
}

/** The linter's findings have no code of their own in ERR-7. */
function asWarning({ path, message }: { path: string; message: string }): PolicyIssue {
  return { path, code: "custom", message, severity: "warning" };
}
