import type { ReactNode } from "react";
import { Button } from "../forms/button.js";
import { Dialog } from "./dialog.js";
import { SecretOnce } from "./secret-once.js";

interface SecretDialogProps {
  title: ReactNode;
  label: string;
  text: string;
  warning: string;
  /** The button that closes the dialog. */
  done?: string;
  onClose(): void;
  /** The next step. */
  children?: ReactNode;
}

/** Shows a secret that the service sends only once. Only its own button closes it. */
export function SecretDialog({
  title,
  done = "I have stored it",
  onClose,
  children,
  ...secret
}: SecretDialogProps) {
  return (
    <Dialog title={title} isHeld onClose={onClose}>
      <div className="form">
        <SecretOnce {...secret} />
        {children}
        <div className="form-foot">
          <Button onClick={onClose}>{done}</Button>
        </div>
      </div>
    </Dialog>
  );
}
