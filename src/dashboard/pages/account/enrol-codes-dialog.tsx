import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { useConfirmCodes, useEnrolCodes } from "../../api/account/one-time-codes.js";
import { issueAt } from "../../api/transport/problem.js";
import type { OneTimeCodeSecret } from "../../api/wire-types.js";
import { Dialog } from "../../design/feedback/dialog.js";
import { SecretDialog } from "../../design/feedback/secret-dialog.js";
import { SecretOnce } from "../../design/feedback/secret-once.js";
import { Field } from "../../design/forms/field.js";
import { Form } from "../../design/forms/form.js";
import { textOf } from "../../shell/entrance-form.js";
import { QrCode } from "./qr-code.js";

const TITLE = "Turn on one-time codes";

/**
 * ACC-14, ACC-15: asks for the password, then for the first code of the new secret, and then shows the recovery
 * codes.
 */
export default function EnrolCodesDialog({ onClose }: { onClose(): void }) {
  const enrol = useEnrolCodes();
  const confirm = useConfirmCodes();
  if (confirm.data !== undefined) {
    return (
      <SecretDialog
        title="One-time codes are on"
        label="Recovery codes"
        text={confirm.data.recovery_codes.join("\n")}
        warning="Store them now: they are not shown again. Each works once in place of a code."
        onClose={onClose}
      />
    );
  }
  if (enrol.data !== undefined) {
    return (
      <Dialog title={TITLE} isHeld onClose={onClose}>
        <ConfirmForm secret={enrol.data} confirm={confirm} onCancel={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title={TITLE} isHeld={enrol.isPending} onClose={onClose}>
      <Form
        submitLabel="Go on"
        isBusy={enrol.isPending}
        error={enrol.error}
        onCancel={onClose}
        onSubmit={(values) => enrol.mutate({ current_password: textOf(values, "current_password") })}
      >
        <Field
          label="Your password"
          name="current_password"
          type="password"
          autoComplete="current-password"
          maxLength={LIMITS.passwordCharsMax}
          error={issueAt(enrol.error, "current_password")}
          autoFocus
          required
        />
      </Form>
    </Dialog>
  );
}

interface ConfirmFormProps {
  secret: OneTimeCodeSecret;
  confirm: ReturnType<typeof useConfirmCodes>;
  onCancel(): void;
}

function ConfirmForm({ secret, confirm, onCancel }: ConfirmFormProps) {
  return (
    <Form
      submitLabel="Turn them on"
      isBusy={confirm.isPending}
      error={confirm.error}
      onCancel={onCancel}
      onSubmit={(values) => confirm.mutate({ code: textOf(values, "code").trim() })}
    >
      <p>Read this with your authenticator app, or type the secret below into it.</p>
      <QrCode
        text={secret.otpauth_uri}
        label="QR code of the secret, for the camera of an authenticator app"
      />
      <SecretOnce
        label="Secret"
        text={secret.secret}
        warning="Typed in, it is a key by time, with 6 digits every 30 seconds. It is not shown again."
      />
      <p>
        <a href={secret.otpauth_uri}>Open it in an app on this device</a>
      </p>
      <Field
        label="First code"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        hint="The six digits that the app shows now."
        minLength={6}
        maxLength={32}
        error={issueAt(confirm.error, "code")}
        required
      />
    </Form>
  );
}
