import type { ConditionEvaluation, GroupEvaluation } from "../../../client/wire-types.js";
import { Icon } from "../../design/base/icon.js";
import { conditionText } from "../../explain/condition-text.js";

const GROUPS = {
  any_of: "Any of these",
  all_of: "All of these",
  none_of: "None of these",
} as const satisfies Record<GroupEvaluation["condition"], string>;

interface ConditionListProps {
  conditions: readonly ConditionEvaluation[];
  /** The currency of the decision's amounts. */
  currency: string;
}

/** Lists conditions, each with the actual value and whether it held. */
export function ConditionList({ conditions, currency }: ConditionListProps) {
  return (
    <ul className="conditions">
      {conditions.map((evaluation) => (
        <li key={evaluation.condition} className="condition">
          <Sign held={evaluation.held} />
          {"branches" in evaluation ? (
            <Group group={evaluation} currency={currency} />
          ) : (
            <span>{conditionText(evaluation, currency)}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

function Group({ group, currency }: { group: GroupEvaluation; currency: string }) {
  const { condition, branches, decided_by } = group;
  return (
    <div>
      <p>{GROUPS[condition]}:</p>
      <ol className="conditions">
        {numbered(branches).map(({ held, conditions, number }) => (
          <li key={number} className="condition">
            <Sign held={held} />
            <div>
              <p>
                Branch {number}
                {number - 1 === decided_by ? ", which decided" : ""}
              </p>
              <ConditionList conditions={conditions} currency={currency} />
            </div>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** A branch has no name, so it is identified by its position, counted from 1. */
function numbered(branches: GroupEvaluation["branches"]) {
  return branches.map((branch, at) => ({ ...branch, number: at + 1 }));
}

function Sign({ held }: { held: boolean }) {
  return (
    <span className={held ? "condition-sign tone-good" : "condition-sign tone-neutral"}>
      <Icon name={held ? "check" : "close"} />
      <span className="visually-hidden">{held ? "Held:" : "Did not hold:"}</span>
    </span>
  );
}
