import { formatName } from "../../../design/base/format.js";
import { SelectField } from "../../../design/forms/select-field.js";
import { OptionField } from "./action-option.js";
import { ACTION_ROWS } from "../../../../domain/policy/action-rows.js";
import { actionForm, firstAction } from "./actions.js";
import type { ActionDraft, RuleEdit } from "../draft/draft.js";
import { IssueNotes } from "./issues.js";
import { ruleCurrency } from "./rule-currency.js";

const CHOICES = Object.entries(ACTION_ROWS).map(([value, { title }]) => ({ value, label: title }));

interface ActionFormProps {
  rule: Pick<RuleEdit, "when" | "then">;
  path: string;
  onChange(then: ActionDraft): void;
}

/** Edits `then`: its type, and the options of the type. */
export function ActionForm({ rule: { when, then }, path, onChange }: ActionFormProps) {
  const currency = ruleCurrency(when, null);
  const form = actionForm(then.type);
  const choices =
    form === undefined ? [...CHOICES, { value: then.type, label: `${then.type} (unknown)` }] : CHOICES;
  const set = (name: string, value: unknown): void => {
    const { [name]: _before, ...rest } = then;
    onChange((value === undefined ? rest : { ...then, [name]: value }) as ActionDraft);
  };
  const known = Object.entries(form?.options ?? {});
  const others = Object.keys(then).filter((name) => name !== "type" && !known.some(([key]) => key === name));
  return (
    <div className="action-form">
      <SelectField
        label="Action"
        value={then.type}
        options={choices}
        onChange={(type) => onChange(firstAction(type))}
      />
      {known.map(([name, option]) => (
        <OptionField
          key={`${then.type}.${name}`}
          name={name}
          option={option}
          currency={currency}
          value={then[name]}
          path={`${path}.${name}`}
          onChange={(value) => set(name, value)}
        />
      ))}
      {others.map((name) => (
        <p key={name} className="field-error">
          <code>{name}</code> is no option of {formatName(then.type).toLowerCase()}.{" "}
          <button type="button" className="link-button" onClick={() => set(name, undefined)}>
            Remove it
          </button>
        </p>
      ))}
      <IssueNotes path={path} />
      <IssueNotes path={`${path}.type`} />
    </div>
  );
}
