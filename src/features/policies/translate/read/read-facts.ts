import type { Conditions } from "../../../../domain/policy/policy.js";
import type { HealthState } from "../../../../domain/vocabulary/vocabulary.js";
import { FLAG_FORMS, LIST_FORMS } from "../grammar/field-terminals.js";
import { opposite } from "./negate.js";
import { type Tree, childOf, contains, requiredChild, valuesOf } from "../grammar/sentence-grammar.js";
import type { Condition } from "../grammar/syntax.js";

const keys = (when: Conditions): Condition => ({ kind: "keys", when });
const listed = (field: string, values: readonly string[]): Condition =>
  keys({ [`${field}_in`]: [...new Set(values)] });

/** The field of each form that names values of a field but not the field itself. */
const LISTED: Readonly<Record<string, string>> = {
  ListTest_card: "card_network",
  ListTest_risk: "risk_level",
  LevelTest_risklevel: "risk_level",
  LevelTest_risk: "risk_level",
  LevelTest_riskband: "risk_band",
  LevelTest_band: "risk_band",
  LevelTest_devicerisk: "device_risk_band",
  LevelTest_device: "device_risk_band",
  Category_network: "card_network",
  Category_method: "payment_method",
  Category_customer: "customer_type",
  Category_type: "transaction_type",
  Category_mode: "mode",
  Category_decision: "decision_mode",
  Category_currency: "currency",
  Category_country: "country",
  Predicate_kinds: "customer_type",
  Pp_onoutcome: "previous_outcome",
};

const LISTED_KEYS: ReadonlyMap<string, string> = new Map([
  ...LIST_FORMS.map(({ name, key }): [string, string] => [`FieldTest_${name}`, key]),
  ...Object.entries(LISTED).map(([form, field]): [string, string] => [form, `${field}_in`]),
]);
const FLAGS: ReadonlyMap<string, Conditions> = new Map(
  FLAG_FORMS.map(({ name, when }) => [`FlagTest_${name}`, when]),
);

/**
 * The forms in which plain "risk" means the level that the merchant reports, unless only the computed band has the
 * value.
 */
const PLAIN_RISK = new Set(["ListTest_risk", "LevelTest_risk"]);

export function readLists(tree: Tree): Condition[] | null {
  if (tree.rule === "Category_networkcard") {
    return [
      listed("card_network", valuesOf(requiredChild(tree, "Networks"))),
      listed("payment_method", ["card"]),
    ];
  }
  const key = LISTED_KEYS.get(tree.rule);
  if (key === undefined) return null;
  const lists = tree.children.filter(({ rule }) => rule !== "aCardMethod" && rule !== "Eq");
  const values = lists.flatMap(valuesOf);
  const extreme = values.includes("extreme");
  if (extreme && key !== "risk_band_in" && !PLAIN_RISK.has(tree.rule)) {
    return [{ kind: "refused", code: "not_understood" }];
  }
  const condition = keys({ [extreme ? "risk_band_in" : key]: [...new Set(values)] });
  return [contains(tree, "Eq_not") ? opposite([condition]) : condition];
}

const attempted = (value: boolean): Condition => keys({ has_previous_attempt_is: value });

/**
 * Reads the history of the payment. A request contains only attempts that timed out, were declined or ended in an
 * error, so "failed" means any of these. The flags of COND-11 and of the address's country are read here too.
 */
export function readHistory(tree: Tree): Condition[] | null {
  const flag = FLAGS.get(tree.rule);
  if (flag !== undefined) return [keys(flag)];
  switch (tree.rule) {
    case "PrevTest_after":
    case "PrevTest_there":
    case "PrevTest_failedattempt":
    case "PrevTest_afterfailed":
    case "Attempted_retry":
    case "RetriedPayments":
    case "Attempted_previous":
      return [attempted(true)];
    case "PrevTest_none":
    case "Attempted_first":
    case "FirstAttempts":
      return [attempted(false)];
    case "Declined":
      return [listed("previous_outcome", ["declined"])];
    default:
      if (!tree.rule.startsWith("PrevTest_")) return null;
      return previousAttempt(tree);
  }
}

function previousAttempt(tree: Tree): Condition[] {
  const outcomes = childOf(tree, "Outcomes") ?? childOf(tree, "anOutcome");
  const providers = childOf(tree, "Providers");
  const codes = childOf(tree, "Codes") ?? childOf(tree, "anIdent");
  return [
    ...(outcomes === undefined ? [] : [listed("previous_outcome", valuesOf(outcomes))]),
    ...(providers === undefined ? [] : [listed("previous_provider", valuesOf(providers))]),
    ...(codes === undefined ? [] : [listed("previous_reason_code", valuesOf(codes))]),
  ];
}

/** COND-12: the conditions about which providers are offered, and their health. */
export function readProviderFacts(tree: Tree): Condition[] | null {
  const providers = valuesOf(childOf(tree, "AnyProviders") ?? childOf(tree, "AllProviders") ?? NOTHING);
  const isDenied = childOf(tree, "not") !== undefined;
  switch (tree.rule) {
    case "Offered_any":
      // "A or B is not offered" may mean neither of them, or one of them.
      if (isDenied) return [{ kind: "refused", code: "not_understood" }];
      return [listed("offered_provider", providers)];
    case "Offered_all":
      if (isDenied) return [keys({ offered_provider_not_in: providers })];
      return providers.map((provider) => listed("offered_provider", [provider]));
    case "HealthTest_any":
    case "HealthTest_all": {
      const states = valuesOf(requiredChild(tree, "States")) as HealthState[];
      const of = providers.map((provider): Condition => {
        const inState = keys({ provider_health_state_in: { provider, states } });
        return isDenied ? { kind: "not", of: inState } : inState;
      });
      return tree.rule === "HealthTest_all" ? of : [{ kind: "any", of }];
    }
    default:
      return null;
  }
}

const NOTHING: Tree = { rule: "", text: "", at: 0, children: [] };
