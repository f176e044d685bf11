import type { RuleDraft } from "../../../../client/wire-types.js";
import { newKey, ruleEdit, type Draft } from "./draft.js";

export type ParsedDraft = { ok: true; draft: Draft } | { ok: false; message: string; line: number | null };

type Json = Readonly<Record<string, unknown>>;

/**
 * Parses JSON text into a draft that the form can show. It checks only the outline. The service checks the rest and
 * names the places of errors. A rule keeps the key that the rule at its position has in `before`.
 */
export function parseDraft(text: string, before: Draft): ParsedDraft {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, ...syntaxError(text, (error as Error).message) };
  }
  const message = outlineError(value);
  if (message !== null) return { ok: false, message, line: null };
  const { name, default_provider, rules } = value as Json;
  return {
    ok: true,
    draft: {
      name: (name ?? "") as string,
      defaultProvider: (default_provider ?? null) as string | null,
      rules: (rules as RuleDraft[]).map((rule, index) =>
        ruleEdit(rule, before.rules[index]?.key ?? newKey()),
      ),
    },
  };
}

const FIELDS = new Set(["name", "default_provider", "rules"]);
const RULE_FIELDS = new Set(["rule_id", "name", "priority", "enabled", "when", "then"]);

function outlineError(value: unknown): string | null {
  if (!isObject(value)) return "A policy is an object with rules.";
  const unknown = Object.keys(value).find((key) => !FIELDS.has(key));
  if (unknown !== undefined) return `${unknown} is not a field of a policy draft.`;
  const { name, default_provider, rules } = value;
  if (name !== undefined && typeof name !== "string") return "name: a text is expected.";
  if (default_provider !== undefined && typeof default_provider !== "string")
    return "default_provider: a provider is expected.";
  if (!Array.isArray(rules)) return "rules: a list is expected.";
  for (const [index, rule] of rules.entries()) {
    const message = ruleError(rule);
    if (message !== null) return `rules.${index}${message}`;
  }
  return null;
}

function ruleError(rule: unknown): string | null {
  if (!isObject(rule)) return ": an object is expected.";
  const unknown = Object.keys(rule).find((key) => !RULE_FIELDS.has(key));
  if (unknown !== undefined) return `.${unknown} is not a field of a rule.`;
  const { rule_id, name, priority, enabled, when, then } = rule;
  if (rule_id !== undefined && typeof rule_id !== "string") return ".rule_id: a text is expected.";
  if (typeof name !== "string") return ".name: a text is expected.";
  if (priority !== undefined && typeof priority !== "number") return ".priority: a number is expected.";
  if (enabled !== undefined && typeof enabled !== "boolean") return ".enabled: true or false is expected.";
  if (!isObject(when)) return ".when: an object of conditions is expected.";
  if (!isObject(then) || typeof then["type"] !== "string") return ".then: an object with a type is expected.";
  return null;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** JavaScript engines report the place as an offset, as a line, or not at all. */
function syntaxError(text: string, reason: string): { message: string; line: number | null } {
  const offset = /position (\d+)/.exec(reason)?.[1];
  const named = /line (\d+)/.exec(reason)?.[1];
  const line =
    named !== undefined
      ? Number(named)
      : offset !== undefined
        ? text.slice(0, Number(offset)).split("\n").length
        : /end of/i.test(reason)
          ? text.split("\n").length
          : null;
  return { message: line === null ? "This is not JSON." : `This is not JSON: see line ${line}.`, line };
}
