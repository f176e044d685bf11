import { useEndOtherSessions } from "../../api/account/sessions.js";
import { ConfirmDialog } from "../../design/feedback/confirm-dialog.js";
import { useToasts } from "../../design/feedback/toast.js";

export function EndOthersDialog({ onClose }: { onClose(): void }) {
  const end = useEndOtherSessions();
  const toasts = useToasts();
  return (
    <ConfirmDialog
      title="End all other sessions"
      confirmLabel="End them"
      isBusy={end.isPending}
      error={end.error}
      onConfirm={() =>
        end.mutate(undefined, {
          onSuccess() {
            toasts.done("Your other sessions have ended");
            onClose();
          },
        })
      }
      onClose={onClose}
    >
      <p>Every session but this one ends at once, in all of your workspaces.</p>
    </ConfirmDialog>
  );
}
