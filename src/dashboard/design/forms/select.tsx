import "./field.css";

interface SelectProps<Value extends string> {
  /** Names the control for people who cannot see its place. */
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange(value: NoInfer<Value>): void;
}

/** A native select. */
export function Select<Value extends string>({ label, value, options, onChange }: SelectProps<Value>) {
  return (
    <select
      className="select-control"
      aria-label={label}
      value={value}
      onChange={(event) => {
        const chosen = options.find((option) => option.value === event.target.value);
        if (chosen !== undefined) onChange(chosen.value);
      }}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
