import { ACCESS_LIMITS } from "../../../domain/vocabulary/access-limits.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { useReleaseAccount } from "../../api/platform.js";
import { issueAt } from "../../api/transport/problem.js";
import { Dialog } from "../../design/feedback/dialog.js";
import { useToasts } from "../../design/feedback/toast.js";
import { Field } from "../../design/forms/field.js";
import { Form } from "../../design/forms/form.js";
import { textOf } from "../../shell/entrance-form.js";
import { isolated } from "../../design/base/isolated.js";

/** ADM-9: releases an email address that somebody registered without owning it. */
export function ReleaseDialog({ onClose }: { onClose(): void }) {
  const release = useReleaseAccount();
  const toasts = useToasts();
  return (
    <Dialog title="Release an e-mail address" isHeld={release.isPending} onClose={onClose}>
      <Form
        submitLabel="Release the address"
        isBusy={release.isPending}
        error={release.error}
        isDanger
        onCancel={onClose}
        onSubmit={(values) => {
          const email = textOf(values, "email").trim();
          release.mutate(
            { email, reason: textOf(values, "reason").trim() },
            {
              onSuccess() {
                toasts.done(`${isolated(email)} can be registered or invited again`);
                onClose();
              },
            },
          );
        }}
      >
        <p className="muted">
          The account that has it is signed out everywhere and gives the address up. Its workspaces stay.
        </p>
        <Field
          label="E-mail"
          name="email"
          type="email"
          autoComplete="off"
          maxLength={LIMITS.emailCharsMax}
          error={issueAt(release.error, "email")}
          autoFocus
          required
        />
        <Field
          label="Reason"
          name="reason"
          autoComplete="off"
          hint="Kept in the audit log."
          maxLength={ACCESS_LIMITS.reasonCharsMax}
          error={issueAt(release.error, "reason")}
          required
        />
      </Form>
    </Dialog>
  );
}
