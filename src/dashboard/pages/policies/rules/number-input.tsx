import "../../../design/forms/field.css";

interface NumberInputProps {
  label: string;
  /** It may be something else than a number. The service checks that. */
  value: unknown;
  min: number;
  max: number;
  placeholder?: string;
  isInvalid?: boolean;
  /** Undefined if the field is empty. */
  onChange(value: number | undefined): void;
}

/** A number input without a visible label. */
export function NumberInput(props: NumberInputProps) {
  const { label, value, min, max, placeholder, isInvalid = false, onChange } = props;
  return (
    <input
      type="number"
      inputMode="decimal"
      className="field-control number-input"
      aria-label={label}
      aria-invalid={isInvalid || undefined}
      value={typeof value === "number" ? value : ""}
      min={min}
      max={max}
      placeholder={placeholder}
      onChange={(event) => {
        const { value: text, valueAsNumber } = event.target;
        onChange(text === "" || Number.isNaN(valueAsNumber) ? undefined : valueAsNumber);
      }}
    />
  );
}
