import { useState } from "react";
import { ROLES } from "../../../domain/vocabulary/vocabulary.js";
import { useChangeRole } from "../../api/team.js";
import type { Member } from "../../api/wire-types.js";
import { Dialog } from "../../design/feedback/dialog.js";
import { Form } from "../../design/forms/form.js";
import { formatName } from "../../design/base/format.js";
import { SelectField } from "../../design/forms/select-field.js";
import { useToasts } from "../../design/feedback/toast.js";
import { useAccount } from "../../session/session.js";
import { ROLE_HINTS } from "./roles.js";
import { Foreign } from "../../design/base/foreign.js";
import { isolated } from "../../design/base/isolated.js";

export function ChangeRoleDialog({ member, onClose }: { member: Member; onClose(): void }) {
  const { user, role: ownRole } = useAccount();
  const toasts = useToasts();
  const change = useChangeRole();
  const [role, setRole] = useState(member.role);
  const name = member.name ?? member.email;
  const isSelf = member.user_id === user.user_id;
  // ACC-8: only an owner can make an owner.
  const offered = ROLES.filter((option) => option !== "owner" || ownRole === "owner");
  return (
    <Dialog
      title={
        <>
          Role of <Foreign text={name} />
        </>
      }
      onClose={onClose}
    >
      <Form
        submitLabel="Change the role"
        isBusy={change.isPending}
        error={change.error}
        isDisabled={role === member.role}
        onCancel={onClose}
        onSubmit={() =>
          change.mutate(
            { userId: member.user_id, role },
            {
              onSuccess() {
                toasts.done(`${isolated(name)} is ${role} now`);
                onClose();
              },
            },
          )
        }
      >
        <SelectField
          label="Role"
          value={role}
          options={offered.map((value) => ({ value, label: formatName(value) }))}
          onChange={setRole}
          hint={ROLE_HINTS[role]}
        />
        {isSelf ? (
          <p className="form-note">This is you: what the new role may not do you can no longer do or undo.</p>
        ) : null}
      </Form>
    </Dialog>
  );
}
