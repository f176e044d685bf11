import { CONDITION_FIELDS } from "../../../../domain/policy/condition-fields.js";
import type { ListedValues } from "../../../../domain/policy/condition-row.js";
import { ruleBounds, type FieldOf, SAMPLE_BPS_MAX } from "../../../../domain/policy/condition-vocabulary.js";
import { CURRENCY_EXPONENTS } from "../../../../domain/vocabulary/currencies.js";
import { HEALTH_STATES } from "../../../../domain/vocabulary/vocabulary.js";
import { Chips } from "../../../design/forms/chips.js";
import { formatAmount } from "../../../design/base/format.js";
import { Select } from "../../../design/forms/select.js";
import { TokenField } from "../../../design/forms/token-field.js";
import type { ConditionKey } from "./conditions.js";
import type { WhenDraft } from "../draft/draft.js";
import { NumberInput } from "./number-input.js";
import { asItIs, useProviders } from "./providers.js";

interface ConditionValueProps {
  label: string;
  condition: ConditionKey;
  value: unknown;
  /** The conditions beside this one. They may name the currency of an amount. */
  beside: WhenDraft;
  isInvalid: boolean;
  onChange(value: unknown): void;
}

const YES_NO = [
  { value: "true", label: "true" },
  { value: "false", label: "false" },
] as const;

/** An input for the value of a condition, by the kind of its field. */
export function ConditionValue(props: ConditionValueProps) {
  const { label, condition, value, beside, isInvalid, onChange } = props;
  const shape = CONDITION_FIELDS[condition.field];
  switch (shape.kind) {
    case "number": {
      const [min, max] = ruleBounds(condition.field as FieldOf<"number">);
      const hint = condition.field === "amount" ? amountHint(value, beside) : null;
      return (
        <span className="condition-number">
          <NumberInput {...{ label, value, isInvalid }} min={min - 1} max={max} onChange={orNull(onChange)} />
          {hint === null ? null : <span className="muted">{hint}</span>}
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

/** An emptied number becomes null and keeps its place. The service then refuses it. */
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

/** Shows the amount in the currency's own notation if one is named. Amounts are in minor units. */
function amountHint(value: unknown, beside: WhenDraft): string {
  const currencies = texts(beside["currency_in"]);
  const [currency = ""] = currencies;
  if (typeof value !== "number" || currencies.length !== 1 || !CURRENCY_EXPONENTS.has(currency))
    return "minor units";
  return `minor units = ${formatAmount(value, currency)}`;
}
