import type { Policy } from "../../../domain/policy/policy.js";
import type { DecisionDetail, ExplainedRule } from "../../../client/wire-types.js";
import { useMerchantPolicies } from "../../api/decisions.js";
import { Badge } from "../../design/base/badge.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { formatName } from "../../design/base/format.js";
import { Icon } from "../../design/base/icon.js";
import { Panel } from "../../design/layout/panel.js";
import { ConditionList } from "./condition-list.js";
import { Foreign } from "../../design/base/foreign.js";

const HEIGHT_PX = 280;

/** Shows the rules of the policy version that decided: which matched, and the actual value of each condition. */
export function RulesPanel({ decision }: { decision: DecisionDetail }) {
  const { policy, merchant_id, transaction, rule_evaluations: rules } = decision;
  const policies = useMerchantPolicies(merchant_id);
  return (
    <Panel title="Policy rules" note={noteOf(decision, policies.data?.policies)}>
      <div style={{ minHeight: HEIGHT_PX }}>
        {policy.policy_id === null ? (
          <EmptyState icon="policies" title="No policy decided here">
            The merchant had none published, so health and scores alone chose.
          </EmptyState>
        ) : rules === null ? (
          <MatchedOnly names={policy.matched_rules} />
        ) : rules.length === 0 ? (
          <EmptyState icon="policies" title="The policy has no enabled rules" />
        ) : (
          <ol className="rules">
            {rules.map((rule) => (
              <RuleRow key={rule.rule_id} rule={rule} currency={transaction.currency} />
            ))}
          </ol>
        )}
      </div>
    </Panel>
  );
}

function noteOf({ policy }: DecisionDetail, all: readonly Policy[] | undefined): string | undefined {
  if (policy.policy_version === null) return undefined;
  const live = all?.find(({ status }) => status === "published");
  if (live === undefined || live.policy_id === policy.policy_id) return `as of ${policy.policy_version}`;
  return `as of ${policy.policy_version}, which decided; ${live.version} is live now`;
}

function RuleRow({ rule, currency }: { rule: ExplainedRule; currency: string }) {
  const { name, action_type, matched, failed_condition, conditions } = rule;
  return (
    <li className="rule">
      <span className={`rule-sign tone-${matched ? "good" : "neutral"}`}>
        <Icon name={matched ? "check" : "close"} />
      </span>
      <div>
        <p className="rule-name">
          <Foreign text={name} />
          <span className="muted">{formatName(action_type)}</span>
        </p>
        <div className="rule-text">
          {conditions.length === 0 ? (
            "It matches every request."
          ) : (
            <ConditionList conditions={conditions} currency={currency} />
          )}
        </div>
      </div>
      {failed_condition === null ? (
        <Badge tone="good" isPlain>
          matched
        </Badge>
      ) : (
        <code className="reason-code">{failed_condition}</code>
      )}
    </li>
  );
}

/** Shows the names of the matched rules for a decision that cannot be repeated. Names are always recorded. */
function MatchedOnly({ names }: { names: readonly string[] }) {
  return (
    <>
      <p className="muted">
        What this decision saw is no longer recorded in full, so only the rules that matched are known.
      </p>
      <ol className="rules">
        {names.map((name) => (
          <li key={name} className="rule">
            <span className="rule-sign tone-good">
              <Icon name="check" />
            </span>
            <p className="rule-name">
              <Foreign text={name} />
            </p>
          </li>
        ))}
      </ol>
    </>
  );
}
