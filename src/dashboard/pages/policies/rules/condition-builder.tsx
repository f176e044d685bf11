import type { ConditionField } from "../../../../domain/policy/condition-fields.js";
import { CONDITION_GROUPS, type ConditionGroup } from "../../../../domain/policy/condition-vocabulary.js";
import { LIMITS } from "../../../../domain/vocabulary/limits.js";
import { Button } from "../../../design/forms/button.js";
import { GroupedSelect } from "../../../design/forms/grouped-select.js";
import { Icon } from "../../../design/base/icon.js";
import { Select } from "../../../design/forms/select.js";
import { fieldGroups } from "./condition-choices.js";
import { ConditionRow } from "./condition-row.js";
import { firstValue, freeKey, isGroup, renameKey, withoutKey } from "./conditions.js";
import type { WhenDraft } from "../draft/draft.js";
import { IssueNotes } from "./issues.js";
import { ruleCurrency } from "./rule-currency.js";
import { GROUP_WORDS } from "./words.js";

interface ConditionBuilderProps {
  when: WhenDraft;
  path: string;
  /** The depth of this list: the number of lists around it. */
  level: number;
  /** The one currency that the conditions around it require. Null if there is none, or more than one. */
  currency?: string | null;
  onChange(when: WhenDraft): void;
}

/** COND-1: edits a `when`, all of whose rows must hold. Lists of conditions nest as deep as the service allows. */
export function ConditionBuilder({
  when,
  path,
  level,
  currency: around = null,
  onChange,
}: ConditionBuilderProps) {
  const currency = ruleCurrency(when, around);
  const names = Object.keys(when);
  const free = CONDITION_GROUPS.filter((group) => !Object.hasOwn(when, group));
  const groups = fieldGroups(when);
  if (level < LIMITS.conditionLevelsMax && free.length > 0) {
    const options = free.map((group) => ({ value: group as string, label: GROUP_WORDS[group] }));
    groups.push({ title: "Combinations", options });
  }
  const add = (choice: string): void => {
    if (isGroup(choice)) return onChange({ ...when, [choice]: [{}] });
    const field = choice as ConditionField;
    const key = freeKey(field, when);
    if (key !== undefined) onChange({ ...when, [key]: firstValue(field) });
  };
  return (
    <div className="conditions">
      {names.length === 0 ? <p className="muted">No condition: it always matches.</p> : null}
      <ul className="condition-list">
        {names.map((name) =>
          isGroup(name) ? (
            <ConditionBranches
              key={name}
              {...{ when, level, currency, onChange }}
              name={name}
              path={`${path}.${name}`}
            />
          ) : (
            <ConditionRow key={name} {...{ when, name, currency, onChange }} path={`${path}.${name}`} />
          ),
        )}
      </ul>
      <GroupedSelect
        label="Add a condition"
        value=""
        placeholder="Add a condition…"
        groups={groups}
        onChange={add}
      />
    </div>
  );
}

/** Edits one list of conditions, each with a builder of its own. */
function ConditionBranches(props: ConditionBuilderProps & { name: ConditionGroup }) {
  const { when, name, path, level, currency = null, onChange } = props;
  const value = when[name];
  const branches = Array.isArray(value) ? (value as WhenDraft[]) : [];
  const free = CONDITION_GROUPS.filter((group) => group === name || !Object.hasOwn(when, group));
  const set = (next: readonly WhenDraft[]): void => onChange(renameKey(when, name, name, next));
  return (
    <li className="condition-group">
      <div className="condition-group-head">
        <Select
          label="Combination"
          value={name}
          options={free.map((group) => ({ value: group, label: GROUP_WORDS[group] }))}
          onChange={(to) => onChange(renameKey(when, name, to, value))}
        />
        <Button size="small" onClick={() => set([...branches, {}])}>
          <Icon name="add" />
          Add to it
        </Button>
        <Button
          kind="quiet"
          size="icon"
          aria-label={`Remove ${GROUP_WORDS[name].toLowerCase()}`}
          onClick={() => onChange(withoutKey(when, name))}
        >
          <Icon name="close" />
        </Button>
      </div>
      <IssueNotes path={path} />
      <ol className="condition-branches">
        {branches.map((branch, index) => {
          // Branches have no names, so each is identified by its position.
          const place = `${path}.${index}`;
          return (
            <li key={place} className="condition-branch">
              <ConditionBuilder
                when={typeof branch === "object" && branch !== null ? branch : {}}
                path={place}
                level={level + 1}
                currency={currency}
                onChange={(changed) => set(branches.with(index, changed))}
              />
              <Button
                kind="quiet"
                size="icon"
                aria-label={`Remove number ${index + 1} of ${GROUP_WORDS[name].toLowerCase()}`}
                onClick={() => set(branches.toSpliced(index, 1))}
              >
                <Icon name="remove" />
              </Button>
            </li>
          );
        })}
      </ol>
    </li>
  );
}
