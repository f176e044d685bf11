import type { DecisionDetail, ExplainedRule } from "../../client/wire-types.js";
import { ACTION_TYPES, actionRow } from "../../domain/policy/action-rows.js";
import { isolated } from "../design/base/isolated.js";
import { decidingTexts } from "./condition-text.js";

/** The codes of the instruction. Codes of the advisory risk changed nothing and are shown with the risk. */
export function instructionCodes({ reason_codes, risk }: DecisionDetail): string[] {
  return reason_codes.filter((code) => !risk.reason_codes.includes(code));
}

/** Explains why a decision has one of its codes: a sentence or two for each rule that set the code. */
export function decisiveTexts(code: string, decision: DecisionDetail): string[] {
  const { request, risk_block_threshold, rule_evaluations } = decision;
  const { risk_score } = request.transaction;
  if (code === "RISK_SCORE_ABOVE_BLOCK_THRESHOLD" && risk_score !== undefined) {
    const threshold = risk_block_threshold === null ? "" : `; the threshold was ${risk_block_threshold}`;
    return [`The risk score sent was ${risk_score}${threshold}.`];
  }
  const types = ACTION_TYPES.filter((type) => actionRow(type).setsCode === code);
  return (rule_evaluations ?? [])
    .filter(({ matched, action_type }) => matched && types.includes(action_type))
    .map((rule) => ruleText(rule, decision));
}

function ruleText({ name, conditions }: ExplainedRule, { transaction }: DecisionDetail): string {
  const met = decidingTexts(conditions, transaction.currency);
  return `By “${isolated(name)}”. ${met.length === 0 ? "It matches every request." : met.join(" ")}`;
}
