import { useState, type ReactNode } from "react";
import { Dialog } from "./dialog.js";
import { Foreign } from "../base/foreign.js";
import { Field } from "../forms/field.js";
import { Form } from "../forms/form.js";

interface ConfirmDialogProps {
  title: ReactNode;
  /** Says what will happen and whether it can be undone. */
  children: ReactNode;
  confirmLabel: string;
  isDanger?: boolean;
  /** A phrase that must be typed before confirming. */
  phrase?: string;
  isBusy: boolean;
  error: Error | null;
  onConfirm(): void;
  onClose(): void;
}

/** Asks for confirmation of something that others will notice. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirmLabel, isDanger = true, phrase, isBusy, error, onConfirm, onClose } = props;
  const [typed, setTyped] = useState("");
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        submitLabel={confirmLabel}
        isBusy={isBusy}
        error={error}
        isDanger={isDanger}
        isDisabled={phrase !== undefined && typed !== phrase}
        onSubmit={onConfirm}
        onCancel={onClose}
      >
        <div className="muted">{children}</div>
        {phrase === undefined ? null : (
          <Field
            label={
              <>
                Type <Foreign text={phrase} /> to confirm
              </>
            }
            value={typed}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Form>
    </Dialog>
  );
}
