import { useResetMemberPassword } from "../../api/team.js";
import type { Member } from "../../api/wire-types.js";
import { ConfirmDialog } from "../../design/feedback/confirm-dialog.js";
import { MailedDialog } from "./mailed-dialog.js";
import { SecretDialog } from "../../design/feedback/secret-dialog.js";
import { Foreign } from "../../design/base/foreign.js";

/** ACC-12, ACC-27: if the service sends no mail, the owner or admin passes the link on. */
export function ResetPasswordDialog({ member, onClose }: { member: Member; onClose(): void }) {
  const reset = useResetMemberPassword();
  const title = (
    <>
      Reset the password of <Foreign text={member.name ?? member.email} />
    </>
  );
  if (reset.data !== undefined && reset.data.token === undefined) {
    return (
      <MailedDialog title={title} onClose={onClose}>
        A link to a new password is on its way to <Foreign text={member.email} />. It works once, for an hour.
      </MailedDialog>
    );
  }
  if (reset.data?.token !== undefined) {
    return (
      <SecretDialog
        title={title}
        onClose={onClose}
        label="Link to a new password"
        text={linkFor(reset.data.token)}
        warning="Copy it now and send it to them yourself. It works once, for an hour, and is not shown again."
        done="Done"
      />
    );
  }
  return (
    <ConfirmDialog
      title={title}
      confirmLabel="Make the link"
      isDanger={false}
      isBusy={reset.isPending}
      error={reset.error}
      onConfirm={() => reset.mutate(member.user_id)}
      onClose={onClose}
    >
      <p>
        The link lets <Foreign text={member.email} /> set a new password without the old one. Their sessions
        end when they do. An earlier link of theirs ends now.
      </p>
    </ConfirmDialog>
  );
}

/** The token is in the fragment, which a browser never sends, so it reaches no log. */
function linkFor(token: string): string {
  return `${window.location.origin}/dashboard/reset-password#${new URLSearchParams({ token }).toString()}`;
}
