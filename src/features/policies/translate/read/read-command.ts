import type { ActionOption } from "../../../../domain/policy/action-row.js";
import { ACTION_ROWS, actionRow, type ActionType } from "../../../../domain/policy/action-rows.js";
import { normalAction, type WrittenAction } from "../../../../domain/policy/normal-form.js";
import type { RuleAction } from "../../../../domain/policy/policy.js";
import type { ProviderId } from "../../../../domain/vocabulary/decision-request.js";
import type { OptimizationMode } from "../../../../domain/vocabulary/vocabulary.js";
import { COMMAND_RULES } from "../grammar/command-grammar.js";
import { readMoney, readNumber, readPercent, readRate } from "./read-quantities.js";
import {
  type Tree,
  childOf,
  childrenOf,
  contains,
  requiredChild,
  valuesOf,
} from "../grammar/sentence-grammar.js";
import type { Command, LimitText, RateText, Share } from "../grammar/syntax.js";

const BOOST_DEFAULT = ACTION_ROWS.prefer_provider.options.boost.default;
const NOTHING: Tree = { rule: "", text: "", at: 0, children: [] };

const providersIn = (tree: Tree): ProviderId[] => [
  ...new Set(valuesOf(childOf(tree, "Order") ?? requiredChild(tree, "aProvider"))),
];
const action = (then: Extract<Command, { kind: "action" }>["then"]): Command => ({ kind: "action", then });

/** The readers of the commands that have a rule in the grammar. */
const READERS: Readonly<Record<string, (form: Tree) => Command>> = {
  Default: (form) => ({ kind: "default_provider", provider: valuesOf(form)[0] as string }),
  Prefer: readPreference,
  MinHealth: (form) => ({
    kind: "min_health",
    score: readNumber(requiredChild(childOf(form, "Score") ?? form, "Num")),
    providers: valuesOf(childOf(form, "ForProviders") ?? childOf(form, "AllProviders") ?? NOTHING),
  }),
  Retry: (form) => ({
    kind: "retry",
    outcome: valuesOf(childOf(form, "anOutcome") ?? NOTHING)[0] ?? null,
    sameProvider: !contains(form, "otherprovider"),
  }),
  MaxCost: (form) => ({ kind: "max_cost", limits: readLimits(form) }),
  Optimize: readOptimization,
  Split: readSplit,
};

/** The action of a command. `subject` is the tree of its kind, such as `Prefer`. */
export function readCommand(subject: Tree): Command {
  const type = COMMAND_RULES.get(subject.rule);
  if (type !== undefined) return action(readAction(type, subject.children[0] as Tree));
  const reader = READERS[subject.rule];
  if (reader === undefined) throw new Error(`the grammar's ${subject.rule} is read by nobody`);
  return reader(subject.children[0] as Tree);
}

/** The grammar's rules for options. */
const OPTION_RULES: Readonly<Partial<Record<ActionOption["kind"], string>>> = {
  providers: "Providers",
  reason_code: "Tag",
  provider_reason_codes: "Codes",
};

/** Reads an action whose commands are in its row of the action table. */
function readAction(type: ActionType, form: Tree): RuleAction {
  const written: Record<string, unknown> = { type };
  for (const [name, { kind }] of Object.entries(actionRow(type).options)) {
    const option = childOf(form, OPTION_RULES[kind] ?? "");
    if (option === undefined) continue;
    const values = [...new Set(valuesOf(option))];
    written[name] = kind === "reason_code" ? values[0] : values;
  }
  return normalAction(written as WrittenAction);
}

function readPreference(form: Tree): Command {
  if (form.rule === "Prefer_soft" || form.rule === "Prefer_boost") {
    return action({
      type: "prefer_provider",
      providers: providersIn(form),
      strict: false,
      boost: BOOST_DEFAULT,
    });
  }
  const boost = childOf(form, "Num");
  if (boost !== undefined) return { kind: "boost", providers: providersIn(form), boost: readNumber(boost) };
  return action({
    type: "prefer_provider",
    providers: providersIn(form),
    strict: true,
    boost: BOOST_DEFAULT,
  });
}

function readLimits(form: Tree): LimitText[] {
  const exclusive = contains(childOf(form, "CapWord") ?? childOf(form, "AtMost") ?? NOTHING, "under");
  return childrenOf(requiredChild(form, "Limits"), "Limit").map((limit): LimitText => {
    const kind = limit.children[0] as Tree;
    if (kind.rule === "Limit_money") {
      return { kind: "money", money: readMoney(requiredChild(kind, "Money")), exclusive };
    }
    return { kind: "rate", rate: readRate(limit) };
  });
}

function readOptimization(form: Tree): Command {
  const option = (name: string): RateText | null => {
    const found = childrenOf(form, "Option").flatMap((one) =>
      one.children.filter(({ rule }) => rule.startsWith(name)),
    );
    return found[0] === undefined ? null : readRate(requiredChild(found[0], "Rate"));
  };
  return {
    kind: "optimize",
    mode: goalOf(form),
    margin: option("Option_margin"),
    approvalDrop: option("Option_drop"),
  };
}

function goalOf(form: Tree): OptimizationMode {
  switch (form.rule) {
    case "Optimize_for":
      return (requiredChild(form, "Goal").children[0] as Tree).rule.replace("Goal_", "") as OptimizationMode;
    case "Optimize_maximize":
      return childOf(form, "margin") === undefined ? "approval" : "margin";
    case "Optimize_balance":
      return "balanced";
    default:
      return "cost";
  }
}

const HUNDRED = 100;

function readSplit(form: Tree): Command {
  const providers = valuesOf(childOf(form, "AllProviders") ?? NOTHING);
  const ratio = childOf(form, "Ratio");
  if (ratio !== undefined) {
    const parts = childrenOf(ratio, "Num").map(readNumber);
    const isPaired = parts.length === providers.length;
    return {
      kind: "split",
      shares: isPaired ? providers.map((provider, i) => ({ provider, percent: parts[i] ?? null })) : [],
    };
  }
  if (providers.length > 0) {
    const even = { digits: String(HUNDRED / providers.length), factor: 1 };
    return { kind: "split", shares: providers.map((provider) => ({ provider, percent: even })) };
  }
  const rest = childOf(form, "Remainder");
  const shares: Share[] = ["Share", "ShareMore", "Named"]
    .flatMap((rule) => childrenOf(form, rule))
    .map((share) => ({
      provider: valuesOf(requiredChild(share, "aProvider"))[0] as string,
      percent: readPercent(requiredChild(share, "Pct")),
    }));
  if (rest !== undefined) shares.push({ provider: valuesOf(rest)[0] as string, percent: null });
  return { kind: "split", shares };
}
