import type { ReactNode } from "react";
import { Dialog } from "../../design/feedback/dialog.js";
import { Button } from "../../design/forms/button.js";

interface MailedDialogProps {
  title: ReactNode;
  onClose(): void;
  /** Says what was sent to whom. */
  children: ReactNode;
}

/** ACC-27: the link was sent by mail, so there is nothing to copy. */
export function MailedDialog({ title, onClose, children }: MailedDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p role="status">{children}</p>
      <p>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </p>
    </Dialog>
  );
}
