import { useId, type Ref } from "react";
import "./field.css";

interface TextAreaProps {
  label: string;
  value: string;
  rows: number;
  hint?: string;
  error?: string | undefined;
  placeholder?: string;
  isCode?: boolean;
  isReadOnly?: boolean;
  ref?: Ref<HTMLTextAreaElement>;
  onChange(value: string): void;
}

/** A labelled text of several lines. Its hint or error is shown below and is read out with it. */
export function TextArea(props: TextAreaProps) {
  const { label, value, rows, hint, error, placeholder, isCode = false, isReadOnly = false, ref } = props;
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <textarea
        ref={ref}
        id={id}
        className={isCode ? "field-control mono" : "field-control"}
        rows={rows}
        value={value}
        placeholder={placeholder}
        readOnly={isReadOnly}
        spellCheck={isCode ? false : undefined}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        onChange={(event) => props.onChange(event.target.value)}
      />
      {note === undefined ? null : (
        <p
          id={`${id}-note`}
          className={error === undefined ? "field-hint" : "field-error"}
          role={error === undefined ? undefined : "alert"}
        >
          {note}
        </p>
      )}
    </div>
  );
}
