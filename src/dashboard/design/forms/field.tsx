import { useId, type InputHTMLAttributes, type ReactNode } from "react";
import "./field.css";

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "className" | "id"> {
  label: ReactNode;
  /** Shown below the control while there is no error. */
  hint?: string;
  /** The error in the value, from the service or the form. */
  error?: string | undefined;
}

/** A labelled text input. Screen readers read its hint and its error out with it. */
export function Field({ label, hint, error, ...input }: FieldProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <input
        {...input}
        id={id}
        className="field-control"
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
      />
      {note === undefined ? null : (
        <p id={`${id}-note`} className={error === undefined ? "field-hint" : "field-error"}>
          {note}
        </p>
      )}
    </div>
  );
}
