import { ACTION_ROWS } from "../../../../domain/policy/action-rows.js";
import type { ProviderId } from "../../../../domain/vocabulary/decision-request.js";
import type { OptimizationMode } from "../../../../domain/vocabulary/vocabulary.js";
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
  ...new Set(
    valuesOf(childOf(tree, "Order") ?? childOf(tree, "Providers") ?? requiredChild(tree, "aProvider")),
  ),
];
const action = (then: Extract<Command, { kind: "action" }>["then"]): Command => ({ kind: "action", then });

/** One reader per form of `Command`, by the prefix of the form's name. */
const READERS: Readonly<Record<string, (form: Tree) => Command>> = {
  Default: (form) => ({ kind: "default_provider", provider: valuesOf(form)[0] as string }),
  Stop: readStop,
  Prefer: readPreference,
  Exclude: (form) => action({ type: "exclude_provider", providers: providersIn(form) }),
  Restrict: (form) => action({ type: "restrict_providers", providers: providersIn(form) }),
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

/** What a command asks to be done; `subject` is the tree of its kind, such as `Stop`. */
export function readCommand(subject: Tree): Command {
  if (subject.rule === "NoRetry") {
    return action({
      type: "no_retry",
      reason_codes: [...new Set(valuesOf(requiredChild(subject.children[0] as Tree, "Codes")))],
    });
  }
  const reader = READERS[subject.rule];
  if (reader === undefined) throw new Error(`the grammar's ${subject.rule} is read by nobody`);
  return reader(subject.children[0] as Tree);
}

const STOPS: Readonly<Record<string, "block" | "hold" | "step_up">> = {
  Stop_block: "block",
  Stop_hold: "hold",
  Stop_flag: "hold",
  Stop_put: "hold",
  Stop_review: "hold",
  Stop_stepup: "step_up",
  Stop_require: "step_up",
  Stop_requirereview: "hold",
  Stop_isblocked: "block",
  Stop_isheld: "hold",
  Stop_issteppedup: "step_up",
  Stop_requires: "step_up",
  Stop_requiresreview: "hold",
};

function readStop(form: Tree): Command {
  const tag = childOf(form, "Tag");
  const code = tag === undefined ? {} : { reason_code: valuesOf(tag)[0] as string };
  return action({ type: STOPS[form.rule] as "block", ...code });
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
