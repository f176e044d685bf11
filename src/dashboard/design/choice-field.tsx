import { useId } from "react";
import "./field.css";

interface ChoiceFieldProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  hint?: string;
  isDisabled?: boolean;
  onChange(value: string): void;
}

/** A labelled native choice of one, as wide as its place. */
export function ChoiceField({ label, value, options, hint, isDisabled = false, onChange }: ChoiceFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className="select-control"
        value={value}
        disabled={isDisabled}
        aria-describedby={hint === undefined ? undefined : `${id}-note`}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {hint === undefined ? null : (
        <p id={`${id}-note`} className="field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}
