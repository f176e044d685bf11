import { useId, type ReactNode } from "react";
import { Chips } from "../../../design/forms/chips.js";
import { SelectField } from "../../../design/forms/select-field.js";
import { Field } from "../../../design/forms/field.js";
import { formatName } from "../../../design/base/format.js";
import { Switch } from "../../../design/forms/switch.js";
import { TokenField } from "../../../design/forms/token-field.js";
import type { ActionOption } from "../../../../domain/policy/action-row.js";
import { IssueNotes, useIssues } from "./issues.js";
import { isMoneyOption } from "./words.js";
import { MoneyInput } from "./money-input.js";
import { NumberInput } from "./number-input.js";
import { asItIs, useProviders } from "./providers.js";

interface OptionFieldProps {
  /** The name of the option in the action. */
  name: string;
  option: ActionOption;
  value: unknown;
  path: string;
  /** The currency of amounts, if the rule names one. */
  currency: string | null;
  /** Undefined if the option is left out. */
  onChange(value: unknown): void;
}

/** A field for one option of an action. The option's row in the vocabulary describes it. */
export function OptionField(props: OptionFieldProps) {
  const { option, value, path, onChange } = props;
  const isInvalid = useIssues(path, true).length > 0;
  const providers = useProviders();
  const { label } = option;
  const isRequired = option.presence === "required";
  switch (option.kind) {
    case "providers":
      return (
        <Labelled {...props}>
          <Chips
            label={label}
            options={providers}
            chosen={texts(value)}
            textOf={asItIs}
            isOrdered={isRequired}
            isInvalid={isInvalid}
            onChange={(chosen) => onChange(chosen.length === 0 && !isRequired ? undefined : chosen)}
          />
        </Labelled>
      );
    case "provider_reason_codes":
      return (
        <Labelled {...props}>
          <TokenField
            label={label}
            tokens={texts(value)}
            placeholder="insufficient_funds"
            isInvalid={isInvalid}
            onChange={onChange}
          />
        </Labelled>
      );
    case "reason_code":
      return <ReasonCode {...props} />;
    case "number":
      return (
        <Labelled {...props}>
          <NumberOption {...props} option={option} isInvalid={isInvalid} />
        </Labelled>
      );
    case "choice":
      return (
        <div>
          <SelectField
            label={label}
            value={String(value)}
            options={option.values.map((choice) => ({ value: choice, label: formatName(choice) }))}
            onChange={onChange}
          />
          <IssueNotes path={path} isDeep />
        </div>
      );
    case "flag":
      return (
        <div>
          <Switch isOn={typeof value === "boolean" ? value : option.default} onChange={onChange}>
            {label}
          </Switch>
          <IssueNotes path={path} isDeep />
        </div>
      );
    case "weights":
      return (
        <Labelled {...props}>
          <Weights {...{ label, value, providers, onChange }} />
        </Labelled>
      );
  }
}

function ReasonCode({ option: { label, hint }, value, path, onChange }: OptionFieldProps) {
  return (
    <div>
      <Field
        label={label}
        placeholder="none"
        autoComplete="off"
        spellCheck={false}
        value={typeof value === "string" ? value : ""}
        {...(hint === undefined ? {} : { hint })}
        onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
      />
      <IssueNotes path={path} isDeep />
    </div>
  );
}

function NumberOption(
  props: OptionFieldProps & { option: Extract<ActionOption, { kind: "number" }>; isInvalid: boolean },
) {
  const { name, option, value, currency, isInvalid, onChange } = props;
  const [min, max] = option.bounds;
  const input = { label: option.label, value, min, max, isInvalid, ...placeholderOf(option) };
  const none = option.presence === "required" ? null : undefined;
  return isMoneyOption(name) ? (
    <MoneyInput
      {...input}
      currency={currency}
      onChange={(minor) => onChange(minor === undefined ? none : minor)}
    />
  ) : (
    <NumberInput {...input} onChange={(number) => onChange(number ?? none)} />
  );
}

function placeholderOf(option: Extract<ActionOption, { kind: "number" }>): { placeholder?: string } {
  const placeholder = option.placeholder ?? option.default?.toString();
  return placeholder === undefined ? {} : { placeholder };
}

function Labelled({ option, path, children }: OptionFieldProps & { children: ReactNode }) {
  return (
    <div className="field">
      <span className="field-label" aria-hidden="true">
        {option.label}
      </span>
      {children}
      {option.hint === undefined ? null : <p className="field-hint">{option.hint}</p>}
      <IssueNotes path={path} isDeep />
    </div>
  );
}

/** A percentage for each provider, and their sum. */
function Weights(props: {
  label: string;
  value: unknown;
  providers: readonly string[];
  onChange(value: unknown): void;
}) {
  const { label, value, providers, onChange } = props;
  const id = useId();
  const weights = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const total = Object.values(weights).reduce<number>((sum, percent) => sum + (Number(percent) || 0), 0);
  const ids = [...providers, ...Object.keys(weights).filter((provider) => !providers.includes(provider))];
  return (
    <div className="weights" role="group" aria-label={label} aria-describedby={id}>
      {ids.map((provider) => (
        <div key={provider} className="weight">
          <span aria-hidden="true">{provider}</span>
          <NumberInput
            label={`${provider} percent`}
            value={weights[provider]}
            min={0}
            max={100}
            placeholder="0"
            onChange={(percent) => {
              const { [provider]: _before, ...rest } = weights;
              onChange(percent === undefined ? rest : { ...rest, [provider]: percent });
            }}
          />
        </div>
      ))}
      <p id={id} className={total === 100 ? "muted" : "field-error"}>
        Together {total} of 100
      </p>
    </div>
  );
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
