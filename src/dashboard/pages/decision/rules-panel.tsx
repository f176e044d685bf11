import type { Policy } from "../../../client/wire-policy.js";
import type { DecisionDetail, RuleEvaluation } from "../../../client/wire-reads.js";
import { useMerchantPolicies, useReplay } from "../../api/decisions.js";
import { Badge } from "../../design/badge.js";
import { EmptyState } from "../../design/empty-state.js";
import { ErrorState } from "../../design/error-state.js";
import { formatName } from "../../design/format.js";
import { Icon } from "../../design/icon.js";
import { Panel } from "../../design/panel.js";
import { Skeleton } from "../../design/skeleton.js";
import { failedConditionText } from "../../explain/condition-text.js";

const HEIGHT_PX = 280;

/** The rules of the policy version that decided: which matched, and what stopped the others. */
export function RulesPanel({ decision }: { decision: DecisionDetail }) {
  const { policy, mode, merchant_id, decision_id } = decision;
  const replay = useReplay(mode, decision_id);
  const policies = useMerchantPolicies(merchant_id);
  const decided = policies.data?.policies.find(({ policy_id }) => policy_id === policy.policy_id);
  const rules = replay.data?.rule_evaluations;
  return (
    <Panel title="Policy rules" note={noteOf(decision, policies.data?.policies)}>
      <div style={{ minHeight: HEIGHT_PX }}>
        {policy.policy_id === null ? (
          <EmptyState icon="policies" title="No policy decided here">
            The merchant had none published, so health and scores alone chose.
          </EmptyState>
        ) : replay.error !== null && replay.data === undefined ? (
          <ErrorState error={replay.error} onRetry={replay.refetch} />
        ) : rules === undefined ? (
          <Skeleton heightPx={HEIGHT_PX - 20} />
        ) : rules === null ? (
          <MatchedOnly names={policy.matched_rules} />
        ) : rules.length === 0 ? (
          <EmptyState icon="policies" title="The policy has no enabled rules" />
        ) : (
          <ol className="rules">
            {rules.map((rule) => (
              <RuleRow key={rule.rule_id} rule={rule} policy={decided} decision={decision} />
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

interface RuleRowProps {
  rule: RuleEvaluation;
  policy: Policy | undefined;
  decision: DecisionDetail;
}

function RuleRow({ rule, policy, decision }: RuleRowProps) {
  const { rule_id, name, matched, failed_condition } = rule;
  const stored = policy?.rules.find((stored) => stored.rule_id === rule_id);
  const when: Readonly<Record<string, unknown>> = stored?.when ?? {};
  return (
    <li className="rule">
      <span className={`rule-sign tone-${matched ? "good" : "neutral"}`}>
        <Icon name={matched ? "check" : "close"} />
      </span>
      <div>
        <p className="rule-name">
          {name}
          {stored === undefined ? null : <span className="muted">{formatName(stored.then.type)}</span>}
        </p>
        <p className="rule-text">
          {failed_condition === null
            ? "Matched."
            : failedConditionText(failed_condition, when[failed_condition], decision)}
        </p>
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

/** What is recorded in any case, for a decision that cannot be made again. */
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
            <p className="rule-name">{name}</p>
          </li>
        ))}
      </ol>
    </>
  );
}
