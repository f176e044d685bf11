import { useState } from "react";
import { LIMITS } from "../../../../domain/vocabulary/limits.js";
import { Button } from "../../../design/forms/button.js";
import { EmptyState } from "../../../design/feedback/empty-state.js";
import { Icon } from "../../../design/base/icon.js";
import {
  addRules,
  duplicateRule,
  isOutOfOrder,
  moveRule,
  newRule,
  removeRule,
  sortRules,
  type RuleEdit,
} from "../draft/draft.js";
import { IssueNotes } from "./issues.js";
import { RuleCard } from "./rule-card.js";

interface RuleListProps {
  rules: readonly RuleEdit[];
  onChange(rules: readonly RuleEdit[]): void;
}

/** Lists the rules in their order of evaluation. At most one of them is open. */
export function RuleList({ rules, onChange }: RuleListProps) {
  const [openKey, setOpenKey] = useState<string | null>(null);
  const add = (): void => {
    const rule = newRule();
    onChange(addRules(rules, [rule]));
    setOpenKey(rule.key);
  };
  return (
    <div className="rules">
      {isOutOfOrder(rules) ? (
        <p className="note tone-watch">
          The rules’ priorities put them in another order than this list.{" "}
          <button type="button" className="link-button" onClick={() => onChange(sortRules(rules))}>
            Put the list in the order of evaluation
          </button>
        </p>
      ) : null}
      <IssueNotes path="rules" />
      {rules.length === 0 ? (
        <EmptyState icon="policies" title="No rule yet">
          Without a rule, payments go to the provider with the best score.
        </EmptyState>
      ) : (
        <ol className="rule-list">
          {rules.map((rule, index) => (
            <RuleCard
              key={rule.key}
              rule={rule}
              index={index}
              count={rules.length}
              isOpen={rule.key === openKey}
              onToggle={() => setOpenKey(rule.key === openKey ? null : rule.key)}
              onChange={(changed) => onChange(rules.with(index, changed))}
              onMove={(places) => onChange(moveRule(rules, index, places))}
              onDuplicate={() => onChange(duplicateRule(rules, index))}
              onRemove={() => onChange(removeRule(rules, index))}
            />
          ))}
        </ol>
      )}
      <div>
        <Button disabled={rules.length >= LIMITS.rulesPerPolicyMax} onClick={add}>
          <Icon name="add" />
          Add a rule
        </Button>
      </div>
    </div>
  );
}
