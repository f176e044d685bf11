import { useId } from "react";
import "./field.css";

interface NoteFieldProps {
  label: string;
  hint: string;
  value: string;
  charsMax: number;
  onChange(value: string): void;
}

/** A text of a few sentences, with the number of characters used. */
export function NoteField({ label, hint, value, charsMax, onChange }: NoteFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <textarea
        id={id}
        className="field-control"
        value={value}
        maxLength={charsMax}
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.target.value)}
      />
      <p id={`${id}-note`} className="field-hint">
        {hint} {value.length} of {charsMax} characters.
      </p>
    </div>
  );
}
