import "./field.css";

export interface OptionGroup {
  title: string;
  options: readonly { value: string; label: string }[];
}

interface GroupedSelectProps {
  label: string;
  value: string;
  groups: readonly OptionGroup[];
  /** The first option. It means that nothing is chosen. */
  placeholder?: string;
  isDisabled?: boolean;
  onChange(value: string): void;
}

/** A native select with grouped options. */
export function GroupedSelect(props: GroupedSelectProps) {
  const { label, value, groups, placeholder, isDisabled = false, onChange } = props;
  return (
    <select
      className="select-control"
      aria-label={label}
      value={value}
      disabled={isDisabled}
      onChange={(event) => onChange(event.target.value)}
    >
      {placeholder === undefined ? null : <option value="">{placeholder}</option>}
      {groups.map(({ title, options }) => (
        <optgroup key={title} label={title}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}
