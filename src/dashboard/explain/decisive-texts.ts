import type { DecisionDetail, ExplainedRule } from "../../client/wire-types.js";
import { isolated } from "../design/base/isolated.js";
import { decidingTexts } from "./condition-text.js";

/** The actions of the rules that set a code. */
const SET_BY: Readonly<Record<string, readonly ExplainedRule["action_type"][]>> = {
  BLOCKED_BY_POLICY: ["block"],
  RETRY_SUPPRESSED_BY_POLICY: ["no_retry"],
  HOLD_REQUIRED_BY_POLICY: ["hold"],
  STEP_UP_REQUIRED_BY_POLICY: ["step_up"],
  RETRY_ALLOWED_BY_POLICY: ["retry_on_timeout"],
  POLICY_EXCLUDED_PROVIDER: ["exclude_provider", "restrict_providers"],
  POLICY_PREFERRED_PROVIDER: ["prefer_provider"],
  TRAFFIC_SPLIT_APPLIED: ["split_traffic"],
  HEALTH_BELOW_POLICY_MINIMUM: ["require_min_health"],
  COST_ABOVE_POLICY_LIMIT: ["max_cost"],
};

/** The codes of the instruction: those of the advisory risk changed nothing, and are told with the risk. */
export function instructionCodes({ reason_codes, risk }: DecisionDetail): string[] {
  return reason_codes.filter((code) => !risk.reason_codes.includes(code));
}

/** The values that decided for one of a decision's codes: a sentence or two for each rule that set it. */
export function decisiveTexts(code: string, decision: DecisionDetail): string[] {
  const { request, risk_block_threshold, rule_evaluations } = decision;
  const { risk_score } = request.transaction;
  if (code === "RISK_SCORE_ABOVE_BLOCK_THRESHOLD" && risk_score !== undefined) {
    const threshold = risk_block_threshold === null ? "" : `; the threshold was ${risk_block_threshold}`;
    return [`The risk score sent was ${risk_score}${threshold}.`];
  }
  const types = SET_BY[code] ?? [];
  return (rule_evaluations ?? [])
    .filter(({ matched, action_type }) => matched && types.includes(action_type))
    .map((rule) => ruleText(rule, decision));
}

function ruleText({ name, conditions }: ExplainedRule, { transaction }: DecisionDetail): string {
  const met = decidingTexts(conditions, transaction.currency);
  return `By “${isolated(name)}”. ${met.length === 0 ? "It matches every request." : met.join(" ")}`;
}
