import { useState } from "react";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { useChangePassword } from "../../api/account/sessions.js";
import { issueAt } from "../../api/transport/problem.js";
import { useToasts } from "../../design/feedback/toast.js";
import { Field } from "../../design/forms/field.js";
import { Form } from "../../design/forms/form.js";
import { textOf } from "../../shell/entrance-form.js";

/** ACC-11: asks for the old password. The fields are emptied once the new one is set. */
export function PasswordForm() {
  const change = useChangePassword();
  const toasts = useToasts();
  const [changes, setChanges] = useState(0);
  return (
    <Form
      key={changes}
      submitLabel="Change the password"
      isBusy={change.isPending}
      error={change.error}
      onSubmit={(values) =>
        change.mutate(
          {
            current_password: textOf(values, "current_password"),
            new_password: textOf(values, "new_password"),
          },
          {
            onSuccess() {
              toasts.done("The password is changed, and your other sessions have ended");
              setChanges(changes + 1);
            },
          },
        )
      }
    >
      <div className="form-pair">
        <Field
          label="Current password"
          name="current_password"
          type="password"
          autoComplete="current-password"
          maxLength={LIMITS.passwordCharsMax}
          error={issueAt(change.error, "current_password")}
          required
        />
        <Field
          label="New password"
          name="new_password"
          type="password"
          autoComplete="new-password"
          hint={`At least ${LIMITS.passwordCharsMin} characters. Your other sessions end.`}
          minLength={LIMITS.passwordCharsMin}
          maxLength={LIMITS.passwordCharsMax}
          error={issueAt(change.error, "new_password")}
          required
        />
      </div>
    </Form>
  );
}
