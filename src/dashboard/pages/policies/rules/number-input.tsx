import "../../../design/forms/field.css";

interface NumberInputProps {
  label: string;
  /** What is there may be no number: it is judged elsewhere. */
  value: unknown;
  min: number;
  max: number;
  placeholder?: string;
  isInvalid?: boolean;
  /** undefined: the field was emptied. */
  onChange(value: number | undefined): void;
}

/** A number without a label in sight. */
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
