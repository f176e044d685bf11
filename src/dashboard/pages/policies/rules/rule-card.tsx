import { useId } from "react";
import { Badge } from "../../../design/base/badge.js";
import { Button } from "../../../design/forms/button.js";
import { Field } from "../../../design/forms/field.js";
import { Icon } from "../../../design/base/icon.js";
import { Switch } from "../../../design/forms/switch.js";
import { ActionForm } from "./action-form.js";
import { ConditionBuilder } from "./condition-builder.js";
import type { RuleEdit } from "../draft/draft.js";
import { IssueNotes, useIssues } from "./issues.js";
import { thenWords, whenWords } from "./words.js";
import { Foreign } from "../../../design/base/foreign.js";

interface RuleCardProps {
  rule: RuleEdit;
  index: number;
  count: number;
  isOpen: boolean;
  onToggle(): void;
  onChange(rule: RuleEdit): void;
  /** Moves the rule by this many places. A negative number moves it up. */
  onMove(places: number): void;
  onDuplicate(): void;
  onRemove(): void;
}

/** Shows a rule in one line, or as a form if it is open. */
export function RuleCard(props: RuleCardProps) {
  const { rule, index, count, isOpen, onToggle, onChange, onMove } = props;
  const id = useId();
  const path = `rules.${index}`;
  const { name } = rule;
  return (
    <li className={rule.enabled ? "rule-card" : "rule-card rule-off"}>
      <div className="rule-head">
        <Switch
          label={`${name}: enabled`}
          isOn={rule.enabled}
          onChange={(enabled) => onChange({ ...rule, enabled })}
        />
        <button
          type="button"
          className="rule-title"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={onToggle}
        >
          <span className="rule-card-name">
            <span className="muted">{index + 1}</span> {name === "" ? "(no name)" : <Foreign text={name} />}{" "}
            <IssueCount path={path} />
          </span>
          <span className="rule-words">
            <span className="muted">When</span> <Foreign text={whenWords(rule.when)} />{" "}
            <span className="muted">→</span> <Foreign text={thenWords(rule)} />
          </span>
        </button>
        <div className="rule-actions">
          <Button
            kind="quiet"
            size="icon"
            aria-label={`Move ${name} up`}
            disabled={index === 0}
            onClick={() => onMove(-1)}
          >
            <Icon name="up" />
          </Button>
          <Button
            kind="quiet"
            size="icon"
            aria-label={`Move ${name} down`}
            disabled={index === count - 1}
            onClick={() => onMove(1)}
          >
            <Icon name="down" />
          </Button>
          <Button kind="quiet" size="icon" aria-label={`Duplicate ${name}`} onClick={props.onDuplicate}>
            <Icon name="duplicate" />
          </Button>
          <Button kind="quiet" size="icon" aria-label={`Remove ${name}`} onClick={props.onRemove}>
            <Icon name="remove" />
          </Button>
        </div>
      </div>
      {isOpen ? (
        <div id={id} className="rule-body">
          <div>
            <Field
              label="Name"
              value={name}
              autoComplete="off"
              onChange={(event) => onChange({ ...rule, name: event.target.value })}
            />
            <IssueNotes path={`${path}.name`} />
            <IssueNotes path={`${path}.rule_id`} />
            <IssueNotes path={`${path}.priority`} />
          </div>
          <fieldset className="rule-part">
            <legend>When all of these hold</legend>
            <ConditionBuilder
              when={rule.when}
              path={`${path}.when`}
              level={0}
              onChange={(when) => onChange({ ...rule, when })}
            />
            <IssueNotes path={`${path}.when`} />
          </fieldset>
          <fieldset className="rule-part">
            <legend>Then</legend>
            <ActionForm rule={rule} path={`${path}.then`} onChange={(then) => onChange({ ...rule, then })} />
          </fieldset>
        </div>
      ) : null}
      <IssueNotes path={path} />
    </li>
  );
}

function IssueCount({ path }: { path: string }) {
  const issues = useIssues(path, true);
  if (issues.length === 0) return null;
  const isError = issues.some(({ severity }) => severity === "error");
  return (
    <Badge tone={isError ? "critical" : "watch"}>
      {issues.length} {isError ? "to mend" : issues.length === 1 ? "warning" : "warnings"}
    </Badge>
  );
}
