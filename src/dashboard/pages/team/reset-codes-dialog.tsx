import { useResetMemberCodes } from "../../api/team.js";
import type { Member } from "../../api/wire-types.js";
import { ConfirmDialog } from "../../design/feedback/confirm-dialog.js";
import { useToasts } from "../../design/feedback/toast.js";
import { Foreign } from "../../design/base/foreign.js";
import { isolated } from "../../design/base/isolated.js";

/** ACC-19: turns off the one-time codes of a member who has lost them. */
export function ResetCodesDialog({ member, onClose }: { member: Member; onClose(): void }) {
  const reset = useResetMemberCodes();
  const toasts = useToasts();
  const name = member.name ?? member.email;
  return (
    <ConfirmDialog
      title={
        <>
          Reset the one-time codes of <Foreign text={name} />
        </>
      }
      confirmLabel="Turn them off"
      isBusy={reset.isPending}
      error={reset.error}
      onConfirm={() =>
        reset.mutate(member.user_id, {
          onSuccess() {
            toasts.done(`${isolated(name)} signs in without a code now`);
            onClose();
          },
        })
      }
      onClose={onClose}
    >
      <p>
        <Foreign text={member.email} /> then signs in by the password alone, until they turn codes on again.
      </p>
    </ConfirmDialog>
  );
}
