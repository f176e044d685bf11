import type { RuleAction } from "../../../../domain/policy/policy.js";
import { LIMITS } from "../../../../domain/vocabulary/limits.js";
import { OPTIMIZATION_MODES } from "../../../../domain/vocabulary/vocabulary.js";
import type { ActionDraft } from "../draft/draft.js";

/** How an option of an action is asked for. */
export type OptionShape = { label: string; hint?: string } & (
  | { kind: "providers"; isRequired: boolean }
  | { kind: "reason_codes" }
  | { kind: "reason_code" }
  | { kind: "weights" }
  | { kind: "flag"; whenLeftOut: boolean }
  | { kind: "choice"; values: readonly string[] }
  | { kind: "number"; min: number; max: number; isRequired: boolean; placeholder?: string }
);

type ActionType = RuleAction["type"];
type OptionsOf<A, T> = A extends { type: infer U } ? (T extends U ? Exclude<keyof A, "type"> : never) : never;
/** Every option that a type of action has: the compiler counts them. */
type ActionForms = {
  [T in ActionType]: { title: string; options: Readonly<Record<OptionsOf<RuleAction, T>, OptionShape>> };
};

const REASON_CODE: { reason_code: OptionShape } = {
  reason_code: {
    kind: "reason_code",
    label: "Reason code",
    hint: "UPPER_SNAKE; added to the decision's own",
  },
};
const PROVIDERS: OptionShape = { kind: "providers", label: "Providers", isRequired: true };
const BPS_MAX = 10_000;
const bps = (label: string, placeholder: string, hint: string): OptionShape => ({
  kind: "number",
  label,
  min: 0,
  max: BPS_MAX,
  isRequired: false,
  placeholder,
  hint,
});

/** RULE-10: `then`, in normal form. */
export const ACTION_FORMS: ActionForms = {
  block: { title: "Block the payment", options: REASON_CODE },
  hold: { title: "Hold for review", options: REASON_CODE },
  step_up: { title: "Ask for step-up", options: REASON_CODE },
  prefer_provider: {
    title: "Prefer providers",
    options: {
      providers: { ...PROVIDERS, hint: "First choice first" },
      strict: {
        kind: "flag",
        label: "Strict: they go first while healthy",
        whenLeftOut: true,
      },
      boost: {
        kind: "number",
        label: "Boost",
        min: 0,
        max: 100,
        isRequired: false,
        placeholder: "15",
        hint: "Points added to the score; used when not strict",
      },
    },
  },
  exclude_provider: { title: "Exclude providers", options: { providers: PROVIDERS } },
  restrict_providers: { title: "Restrict to providers", options: { providers: PROVIDERS } },
  require_min_health: {
    title: "Require a minimum health",
    options: {
      min_score: { kind: "number", label: "Minimum score", min: 0, max: 100, isRequired: true },
      providers: { kind: "providers", label: "Only for", isRequired: false, hint: "None chosen: for all" },
    },
  },
  retry_on_timeout: {
    title: "Retry on timeout",
    options: { same_provider: { kind: "flag", label: "With the same provider", whenLeftOut: true } },
  },
  no_retry: {
    title: "Never retry after",
    options: {
      reason_codes: {
        kind: "reason_codes",
        label: "Provider reason codes",
        hint: "Compared exactly; Enter adds one",
      },
    },
  },
  max_cost: {
    title: "Limit the cost",
    options: {
      max_effective_bps: bps("At most, of the amount", "no limit", "Basis points"),
      max_cost_minor: {
        kind: "number",
        label: "At most, in all",
        min: 0,
        max: LIMITS.amountMinorMax,
        isRequired: false,
        placeholder: "no limit",
        hint: "Minor units of the payment's currency",
      },
    },
  },
  optimize_for: {
    title: "Optimize for",
    options: {
      mode: { kind: "choice", label: "Goal", values: OPTIMIZATION_MODES },
      margin_bps: bps("Margin", "2000", "Basis points; for the goal margin"),
      max_approval_drop_bps: bps("Largest loss of approval", "100", "Basis points; for the goal cost"),
    },
  },
  split_traffic: {
    title: "Split traffic",
    options: { weights: { kind: "weights", label: "Percent of orders", hint: "Together 100" } },
  },
};

/** undefined for a type that the vocabulary does not know. */
export function actionForm(
  type: string,
): { title: string; options: Readonly<Record<string, OptionShape>> } | undefined {
  return Object.hasOwn(ACTION_FORMS, type) ? ACTION_FORMS[type as ActionType] : undefined;
}

/** What an action of a type begins with: its required options, empty. */
export function firstAction(type: string): ActionDraft {
  const options = Object.entries(actionForm(type)?.options ?? {});
  return { type, ...Object.fromEntries(options.flatMap(([name, shape]) => firstOption(name, shape))) };
}

function firstOption(name: string, shape: OptionShape): [string, unknown][] {
  switch (shape.kind) {
    case "providers":
      return shape.isRequired ? [[name, []]] : [];
    case "reason_codes":
      return [[name, []]];
    case "weights":
      return [[name, {}]];
    case "choice":
      return [[name, shape.values[0]]];
    case "number":
      return shape.isRequired ? [[name, 60]] : [];
    case "reason_code":
    case "flag":
      return [];
  }
}
