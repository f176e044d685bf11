import { useId } from "react";
import "./checks.css";

interface ChecksProps<Value extends string> {
  /** The title of the group. `name` is the name of each box in the form. */
  label: string;
  name: string;
  options: readonly { value: Value; label: string; hint: string }[];
  checked: readonly Value[];
  onChange(checked: readonly Value[]): void;
  isDisabled?: boolean;
  error?: string | undefined;
}

/** A group of check boxes, each with its meaning. */
export function Checks<Value extends string>(props: ChecksProps<Value>) {
  const { label, name, options, checked, onChange, isDisabled = false, error } = props;
  const id = useId();
  return (
    <fieldset className="checks">
      <legend className="field-label">{label}</legend>
      {options.map(({ value, label, hint }) => (
        <div key={value} className="check">
          <input
            id={`${id}-${value}`}
            type="checkbox"
            name={name}
            value={value}
            checked={checked.includes(value)}
            disabled={isDisabled}
            aria-describedby={`${id}-${value}-hint`}
            onChange={(event) =>
              onChange(
                options
                  .map((option) => option.value)
                  .filter((other) => (other === value ? event.target.checked : checked.includes(other))),
              )
            }
          />
          <label className="check-label" htmlFor={`${id}-${value}`}>
            {label}
            <span id={`${id}-${value}-hint`} className="check-hint" aria-hidden="true">
              {hint}
            </span>
          </label>
        </div>
      ))}
      {error === undefined ? null : <p className="field-error">{error}</p>}
    </fieldset>
  );
}
