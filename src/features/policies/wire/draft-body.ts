import type { Policy } from "../../../domain/policy/policy.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import type { JsonSchema } from "../../../platform/wire/body-validator.js";
import { createPolicyFrame } from "./policy-frame.js";
import type { PolicyValidator, ValidPolicy } from "./policy-validator.js";
import type { PolicyIssue, ValidationIssue } from "../../../platform/wire/validation-issue.js";

/** A policy that is sent to be tried and is not stored. */
export interface Draft {
  name: string;
  policy: ValidPolicy;
  /** The linter's warnings. They never refuse a draft. Their paths begin at the body. */
  warnings: PolicyIssue[];
}

export type ParsedDraftBody<T> =
  | { ok: true; body: T & { policy?: unknown }; draft: Draft | null }
  | { ok: false; kind: "invalid"; issues: ValidationIssue[] }
  | { ok: false; kind: "policy_invalid"; issues: PolicyIssue[] };

/**
 * SIM-5: `policy` of simulate: `{name?, default_provider?, rules}`. The policy validator checks default_provider and
 * rules.
 */
export const draftSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    name: { type: "string", minLength: 1, maxLength: LIMITS.policyNameCharsMax },
    default_provider: {},
    rules: {},
  },
} as const;

interface DraftSource {
  name?: string;
  default_provider?: unknown;
  rules?: unknown;
}

const POLICY_FIELDS = /^policy\.(?:rules|default_provider)(?:\.|$)/;
const NO_NAME = "Draft";

/**
 * The id of a draft's rule that has none. `sample_bps_lt` draws by the id, so a draft that is tried twice must have the
 * same ids.
 */
const draftRuleId = (index: number): string => `rule_${String(index).padStart(26, "0")}`;

/**
 * Parses the text of a body of `schema`, which may contain a draft under `policy`. As for POST /v1/policies, errors
 * outside the draft's rules and default provider are a validation_error, and are reported first.
 */
export function createDraftBodyParser<T>(
  schema: JsonSchema,
  validator: PolicyValidator,
): (text: string) => ParsedDraftBody<T> {
  const parseFrame = createPolicyFrame<T & { policy?: DraftSource }>(schema, POLICY_FIELDS);

  return (text) => {
    const framed = parseFrame(text);
    if (!framed.ok) return { kind: "invalid", ...framed };
    const { body, inside: found } = framed;
    if (body.policy === undefined) return { ok: true, body, draft: null };
    const judged = validator.validate(body.policy, draftRuleId);
    const issues = [
      ...found.map((issue): PolicyIssue => ({ ...issue, severity: "error" })),
      ...(judged.ok ? [] : judged.issues.map(underPolicy)),
    ];
    if (issues.length > 0 || !judged.ok) {
      return { ok: false, kind: "policy_invalid", issues: issues.slice(0, LIMITS.validationIssuesMax) };
    }
    const draft: Draft = {
      name: body.policy.name ?? NO_NAME,
      policy: judged.policy,
      warnings: judged.warnings.map(underPolicy),
    };
    return { ok: true, body, draft };
  };
}

/** Converts a draft into the engine's form. Its id and version are empty. */
export function draftPolicy({ name, policy }: Draft): Policy {
  return { ...policy, name, policy_id: "", version: "", status: "draft", updated_at: "" };
}

/** ERR-6: paths of issues begin at the body, so `policy` comes first. */
function underPolicy(issue: PolicyIssue): PolicyIssue {
  return { ...issue, path: `policy.${issue.path}` };
}
