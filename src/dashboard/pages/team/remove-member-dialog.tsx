import { useQueryClient } from "@tanstack/react-query";
import { useRemoveMember } from "../../api/team.js";
import type { Member } from "../../api/wire-types.js";
import { ConfirmDialog } from "../../design/feedback/confirm-dialog.js";
import { useToasts } from "../../design/feedback/toast.js";
import { useAccount } from "../../session/session.js";
import { Foreign } from "../../design/base/foreign.js";
import { isolated } from "../../design/base/isolated.js";

export function RemoveMemberDialog({ member, onClose }: { member: Member; onClose(): void }) {
  const { user, workspace } = useAccount();
  const queries = useQueryClient();
  const toasts = useToasts();
  const remove = useRemoveMember();
  const name = member.name ?? member.email;
  const isSelf = member.user_id === user.user_id;
  return (
    <ConfirmDialog
      title={
        <>
          {isSelf ? "Leave" : "Remove"} <Foreign text={isSelf ? workspace.name : name} />
        </>
      }
      confirmLabel={isSelf ? "Leave the workspace" : "Remove"}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(member.user_id, {
          onSuccess() {
            toasts.done(
              `${isSelf ? "You have left" : "Removed"} ${isolated(isSelf ? workspace.name : name)}`,
            );
            onClose();
            // If the removed person is the signed-in one, their session ends too.
            if (isSelf) void queries.invalidateQueries({ queryKey: ["me"] });
          },
        })
      }
      onClose={onClose}
    >
      <p>
        {isSelf ? (
          "Your sessions in this workspace end at once."
        ) : (
          <>
            Every session of <Foreign text={member.email} /> in this workspace ends at once.
          </>
        )}{" "}
        API keys stay: revoke those that only this person knew.
      </p>
    </ConfirmDialog>
  );
}
