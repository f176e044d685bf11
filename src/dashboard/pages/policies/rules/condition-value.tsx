import { CONDITION_FIELDS } from "../../../../domain/policy/condition-fields.js";
import type { ListedValues } from "../../../../domain/policy/condition-row.js";
import { ruleBounds, type FieldOf, SAMPLE_BPS_MAX } from "../../../../domain/policy/condition-vocabulary.js";
import { HEALTH_STATES } from "../../../../domain/vocabulary/vocabulary.js";
import { Chips } from "../../../design/forms/chips.js";
import { Select } from "../../../design/forms/select.js";
import { TokenField } from "../../../design/forms/token-field.js";
import type { ConditionKey } from "./conditions.js";
import { MoneyInput } from "./money-input.js";
import { NumberInput } from "./number-input.js";
import { asItIs, useProviders } from "./providers.js";

interface ConditionValueProps {
  label: string;
  condition: ConditionKey;
  value: unknown;
  /** The currency of an amount, if the rule names one. */
  currency: string | null;
  isInvalid: boolean;
  onChange(value: unknown): void;
}

const YES_NO = [
  { value: "true", label: "true" },
  { value: "false", label: "false" },
] as const;

/** An input for the value of a condition. It depends on the kind of the field. */
export function ConditionValue(props: ConditionValueProps) {
  const { label, condition, value, currency, isInvalid, onChange } = props;
  const shape = CONDITION_FIELDS[condition.field];
  switch (shape.kind) {
    case "number": {
      const [min, max] = ruleBounds(condition.field as FieldOf<"number">);
      const input = { label, value, isInvalid, min: min - 1, max };
      return "isMoney" in shape ? (
        <MoneyInput {...input} currency={currency} onChange={(minor) => onChange(minor ?? null)} />
      ) : (
        <span className="condition-number">
          <NumberInput {...input} onChange={orNull(onChange)} />
        </span>
      );
    }
    case "sample":
      return (
        <span className="condition-number">
          <NumberInput
            {...{ label, value, isInvalid }}
            min={0}
            max={SAMPLE_BPS_MAX}
            onChange={orNull(onChange)}
          />
          <span className="muted">of {SAMPLE_BPS_MAX} orders</span>
        </span>
      );
    case "flag":
      return (
        <Select
          label={label}
          value={value === false ? "false" : "true"}
          options={YES_NO}
          onChange={(chosen) => onChange(chosen === "true")}
        />
      );
    case "list":
    case "set":
      return (
        <ListValue
          {...{ label, isInvalid }}
          values={shape.values}
          chosen={texts(value)}
          onChange={onChange}
        />
      );
    case "prefix":
      return <TokenField {...{ label, isInvalid, onChange }} placeholder="sub_" tokens={texts(value)} />;
    case "provider_states":
      return <ProviderStates {...{ label, value, isInvalid, onChange }} />;
  }
}

/** An empty number becomes null, so that it keeps its place in the list. The service then refuses it. */
function orNull(onChange: (value: unknown) => void): (value: number | undefined) => void {
  return (value) => onChange(value ?? null);
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

const TOKENS = {
  currency: { placeholder: "USD, EUR", isUpperCase: true },
  country: { placeholder: "NG, KE", isUpperCase: true },
  reason_code: { placeholder: "do_not_honor", isUpperCase: false },
} as const;

function ListValue(props: {
  label: string;
  values: ListedValues;
  chosen: string[];
  isInvalid: boolean;
  onChange(value: unknown): void;
}) {
  const { values, chosen, ...rest } = props;
  const providers = useProviders();
  if (values === "provider") return <Chips {...rest} options={providers} chosen={chosen} textOf={asItIs} />;
  if (typeof values === "string") return <TokenField {...rest} {...TOKENS[values]} tokens={chosen} />;
  return <Chips {...rest} options={values} chosen={chosen} />;
}

function ProviderStates(props: {
  label: string;
  value: unknown;
  isInvalid: boolean;
  onChange(value: unknown): void;
}) {
  const { label, value, isInvalid, onChange } = props;
  const providers = useProviders();
  const { provider, states } = (typeof value === "object" && value !== null ? value : {}) as {
    provider?: unknown;
    states?: unknown;
  };
  const chosen = typeof provider === "string" ? provider : "";
  const options = ["", ...new Set([...providers, ...(chosen === "" ? [] : [chosen])])];
  return (
    <span className="condition-states">
      <Select
        label={`${label}: provider`}
        value={chosen}
        options={options.map((id) => ({ value: id, label: id === "" ? "Choose a provider" : id }))}
        onChange={(id) => onChange({ provider: id, states: texts(states) })}
      />
      <Chips
        label={`${label}: states`}
        options={HEALTH_STATES}
        chosen={texts(states)}
        isInvalid={isInvalid}
        onChange={(next) => onChange({ provider: chosen, states: next })}
      />
    </span>
  );
}
