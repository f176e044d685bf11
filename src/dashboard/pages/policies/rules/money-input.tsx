import { useId, useState } from "react";
import { decimalAmount, parseAmount } from "../../../design/base/money.js";
import "../../../design/forms/field.css";
import { NumberInput } from "./number-input.js";

interface MoneyInputProps {
  label: string;
  /** Minor units. It may be something else than a number. The service checks that. */
  value: unknown;
  /** DASH-31: the currency of the rule. Null if it names none, or several. */
  currency: string | null;
  min: number;
  max: number;
  placeholder?: string;
  isInvalid?: boolean;
  /** In minor units. Undefined if the field is empty. Null if the text is not an amount. */
  onChange(value: number | null | undefined): void;
}

/** DASH-31: an amount in the rule's currency, or in minor units if the currency is unknown. */
export function MoneyInput(props: MoneyInputProps) {
  const { currency, ...input } = props;
  if (currency === null) {
    return (
      <span className="condition-number">
        <NumberInput {...input} />
        <span className="muted">minor units</span>
      </span>
    );
  }
  // The key discards the typed text when the currency changes, because it would be another amount.
  return <MajorInput key={currency} {...input} currency={currency} />;
}

function MajorInput(props: MoneyInputProps & { currency: string }) {
  const { label, value, currency, placeholder, isInvalid = false, onChange } = props;
  const id = useId();
  const [typed, setTyped] = useState("");
  const parsed = parseAmount(typed, currency);
  // The JSON editor or an undo can change the value too. The typed text is then out of date.
  const isTyped = parsed.ok ? parsed.minor === value : typed !== "" && typeof value !== "number";
  const text = isTyped ? typed : typeof value === "number" ? decimalAmount(value, currency) : "";
  const error = isTyped && !parsed.ok ? parsed.error : null;
  return (
    <span className="condition-number">
      <input
        type="text"
        inputMode="decimal"
        autoComplete="off"
        className="field-control number-input"
        aria-label={label}
        aria-invalid={isInvalid || error !== null || undefined}
        aria-describedby={id}
        value={text}
        placeholder={placeholder}
        onChange={(event) => {
          const next = event.target.value;
          setTyped(next);
          if (next === "") return onChange(undefined);
          const read = parseAmount(next, currency);
          onChange(read.ok ? read.minor : null);
        }}
      />
      <span id={id} className={error === null ? "muted" : "field-error"}>
        {error ?? currency}
      </span>
    </span>
  );
}
