import type { ReactNode } from "react";
import { problemText } from "../../api/transport/problem.js";
import { Button } from "./button.js";
import "./form.css";

interface FormProps {
  submitLabel: string;
  isBusy: boolean;
  /** The reason why the last attempt was refused. */
  error: Error | null;
  /** True when the form destroys or stops something. */
  isDanger?: boolean;
  /** True while there is nothing to send. */
  isDisabled?: boolean;
  onSubmit(values: FormData): void;
  onCancel?: () => void;
  children?: ReactNode;
}

/** Shows fields, the reason why the service refused them, and the button that sends them. */
export function Form(props: FormProps) {
  const { submitLabel, isBusy, error, isDanger = false, isDisabled = false, onSubmit, onCancel } = props;
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) onSubmit(new FormData(event.currentTarget));
      }}
    >
      {error === null ? null : (
        <p className="form-problem" role="alert">
          {problemText(error)}
        </p>
      )}
      {props.children}
      <div className="form-foot">
        {onCancel === undefined ? null : (
          <Button kind="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" kind={isDanger ? "danger" : "primary"} isBusy={isBusy} disabled={isDisabled}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}
