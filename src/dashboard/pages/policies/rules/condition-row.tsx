import type { ConditionField } from "../../../../domain/policy/condition-fields.js";
import { Button } from "../../../design/forms/button.js";
import { formatName } from "../../../design/base/format.js";
import { GroupedSelect } from "../../../design/forms/grouped-select.js";
import { Icon } from "../../../design/base/icon.js";
import { Select } from "../../../design/forms/select.js";
import { fieldGroups } from "./condition-choices.js";
import { ConditionValue } from "./condition-value.js";
import { conditionKey, firstValue, freeKey, operatorsOf, renameKey, withoutKey } from "./conditions.js";
import type { WhenDraft } from "../draft/draft.js";
import { IssueNotes, useIssues } from "./issues.js";
import { OPERATOR_WORDS } from "./words.js";

interface ConditionRowProps {
  when: WhenDraft;
  name: string;
  path: string;
  /** The currency of amounts, if the rule names one. */
  currency: string | null;
  onChange(when: WhenDraft): void;
}

/** One key of a `when`: field, operator and value. */
export function ConditionRow({ when, name, path, currency, onChange }: ConditionRowProps) {
  const issues = useIssues(path, true);
  const condition = conditionKey(name);
  const value = when[name];
  const remove = (
    <Button
      kind="quiet"
      size="icon"
      aria-label={`Remove the condition on ${formatName(condition?.field ?? name).toLowerCase()}`}
      onClick={() => onChange(withoutKey(when, name))}
    >
      <Icon name="close" />
    </Button>
  );
  if (condition === undefined) {
    return (
      <li className="condition">
        <code className="condition-unknown">
          {name}: {JSON.stringify(value)}
        </code>
        {remove}
        <IssueNotes path={path} isDeep />
      </li>
    );
  }
  const { field, operator } = condition;
  const title = formatName(field);
  const chooseField = (to: string): void => {
    const key = freeKey(to as ConditionField, withoutKey(when, name));
    if (key !== undefined) onChange(renameKey(when, name, key, firstValue(to as ConditionField)));
  };
  const operators = operatorsOf(field).filter(
    (other) => other === operator || !Object.hasOwn(when, `${field}_${other}`),
  );
  return (
    <li className="condition">
      <GroupedSelect
        label="Field"
        value={field}
        groups={fieldGroups(withoutKey(when, name))}
        onChange={chooseField}
      />
      {operators.length === 1 ? (
        <span className="condition-operator muted">{OPERATOR_WORDS[operator]}</span>
      ) : (
        <Select
          label={`${title}: comparison`}
          value={operator}
          options={operators.map((option) => ({ value: option, label: OPERATOR_WORDS[option] }))}
          onChange={(to) => onChange(renameKey(when, name, `${field}_${to}`, value))}
        />
      )}
      <ConditionValue
        label={`${title} ${OPERATOR_WORDS[operator]}`}
        condition={condition}
        value={value}
        currency={currency}
        isInvalid={issues.some(({ severity }) => severity === "error")}
        onChange={(changed) => onChange(renameKey(when, name, name, changed))}
      />
      {remove}
      <IssueNotes path={path} isDeep />
    </li>
  );
}
