import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { useDisableCodes } from "../../api/account/one-time-codes.js";
import { issueAt } from "../../api/transport/problem.js";
import { Dialog } from "../../design/feedback/dialog.js";
import { useToasts } from "../../design/feedback/toast.js";
import { Field } from "../../design/forms/field.js";
import { Form } from "../../design/forms/form.js";
import { textOf } from "../../shell/entrance-form.js";

/** ACC-18: asks for the password and a code. */
export function DisableCodesDialog({ onClose }: { onClose(): void }) {
  const disable = useDisableCodes();
  const toasts = useToasts();
  return (
    <Dialog title="Turn off one-time codes" onClose={onClose}>
      <Form
        submitLabel="Turn them off"
        isBusy={disable.isPending}
        error={disable.error}
        isDanger
        onCancel={onClose}
        onSubmit={(values) =>
          disable.mutate(
            { current_password: textOf(values, "current_password"), code: textOf(values, "code").trim() },
            {
              onSuccess() {
                toasts.done("One-time codes are off");
                onClose();
              },
            },
          )
        }
      >
        <Field
          label="Your password"
          name="current_password"
          type="password"
          autoComplete="current-password"
          maxLength={LIMITS.passwordCharsMax}
          error={issueAt(disable.error, "current_password")}
          autoFocus
          required
        />
        <Field
          label="One-time code"
          name="code"
          autoComplete="one-time-code"
          spellCheck={false}
          hint="Six digits of your authenticator app, or a recovery code."
          minLength={6}
          maxLength={32}
          error={issueAt(disable.error, "code")}
          required
        />
      </Form>
    </Dialog>
  );
}
