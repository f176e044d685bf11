import { useId, useState } from "react";
import { decimalAmount, parseAmount } from "../../../design/base/money.js";
import "../../../design/forms/field.css";
import { NumberInput } from "./number-input.js";

interface MoneyInputProps {
  label: string;
  /** Minor units. The value may be no number, and the service checks that. */
  value: unknown;
  /** DASH-31: the currency of the rule. Null: it names none, or several. */
  currency: string | null;
  min: number;
  max: number;
  placeholder?: string;
  isInvalid?: boolean;
  /** In minor units. Undefined means that the field was emptied. Null means that it contains no amount. */
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
  // A text that was typed for one currency has no meaning for another one.
  return <MajorInput key={currency} {...input} currency={currency} />;
}

function MajorInput(props: MoneyInputProps & { currency: string }) {
  const { label, value, currency, placeholder, isInvalid = false, onChange } = props;
  const id = useId();
  const [typed, setTyped] = useState("");
  const parsed = parseAmount(typed, currency);
  // Another tab of the editor or an undo may change the value as well. The typed text then no longer applies.
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
