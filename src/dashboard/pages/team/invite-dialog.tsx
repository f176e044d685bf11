import { useState } from "react";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { INVITED_ROLES } from "../../../domain/vocabulary/vocabulary.js";
import { issueAt } from "../../api/transport/problem.js";
import { useInviteMember } from "../../api/team.js";
import { Dialog } from "../../design/feedback/dialog.js";
import { Field } from "../../design/forms/field.js";
import { Form } from "../../design/forms/form.js";
import { formatName } from "../../design/base/format.js";
import { MailedDialog } from "./mailed-dialog.js";
import { SecretDialog } from "../../design/feedback/secret-dialog.js";
import { SelectField } from "../../design/forms/select-field.js";
import { textOf } from "../../shell/entrance-form.js";
import { ROLE_HINTS } from "./roles.js";
import { Foreign } from "../../design/base/foreign.js";

const ROLE_OPTIONS = INVITED_ROLES.map((value) => ({ value, label: formatName(value) }));

/** ACC-27: if the service sends no mail, the inviting person passes the link on. */
export function InviteDialog({ onClose }: { onClose(): void }) {
  const invite = useInviteMember();
  const [role, setRole] = useState<(typeof INVITED_ROLES)[number]>("developer");
  const invited = invite.data;
  if (invited !== undefined && invited.token === undefined) {
    return (
      <MailedDialog title="Invitation sent" onClose={onClose}>
        The invitation is on its way to <Foreign text={invited.invitation.email} />. It can be accepted for 7
        days.
      </MailedDialog>
    );
  }
  if (invited?.token !== undefined) {
    return (
      <SecretDialog
        title={
          <>
            Invitation for <Foreign text={invited.invitation.email} />
          </>
        }
        onClose={onClose}
        label="Invitation link"
        text={linkFor(invited.token)}
        warning="Copy it now and send it to them yourself. It works once, and is not shown again."
        done="Done"
      />
    );
  }
  return (
    <Dialog title="Invite somebody" isHeld={invite.isPending} onClose={onClose}>
      <Form
        submitLabel="Make the invitation"
        isBusy={invite.isPending}
        error={invite.error}
        onCancel={onClose}
        onSubmit={(values) => invite.mutate({ email: textOf(values, "email").trim(), role })}
      >
        <Field
          label="E-mail"
          name="email"
          type="email"
          autoComplete="off"
          hint="An open invitation of the same address is replaced."
          maxLength={LIMITS.emailCharsMax}
          error={issueAt(invite.error, "email")}
          autoFocus
          required
        />
        <SelectField
          label="Role"
          value={role}
          options={ROLE_OPTIONS}
          onChange={setRole}
          hint={ROLE_HINTS[role]}
        />
      </Form>
    </Dialog>
  );
}

/** The token is in the fragment, which a browser never sends, so it reaches no log. */
function linkFor(token: string): string {
  return `${window.location.origin}/dashboard/accept-invitation#${new URLSearchParams({ token }).toString()}`;
}
