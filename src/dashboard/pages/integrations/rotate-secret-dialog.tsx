import { useState } from "react";
import { useRotateSecret } from "../../api/integrations.js";
import { issueAt } from "../../api/transport/problem.js";
import type { Integration } from "../../api/wire-types.js";
import { Dialog } from "../../design/feedback/dialog.js";
import { Field } from "../../design/forms/field.js";
import { Form } from "../../design/forms/form.js";
import { SecretDialog } from "../../design/feedback/secret-dialog.js";
import { SelectField } from "../../design/forms/select-field.js";
import { useToasts } from "../../design/feedback/toast.js";
import { textOf } from "../../shell/entrance-form.js";
import { Foreign } from "../../design/base/foreign.js";

const SOURCES = [
  { value: "made", label: "Made by this service" },
  { value: "own", label: "Given by the provider" },
] as const;

/** HOOK-12: after a rotation the old secret works for another 24 hours. */
export function RotateSecretDialog({ integration, onClose }: { integration: Integration; onClose(): void }) {
  const { provider, merchant_id, has_secret } = integration;
  const rotate = useRotateSecret();
  const toasts = useToasts();
  const [source, setSource] = useState<(typeof SOURCES)[number]["value"]>("made");
  const made = rotate.data?.secret;
  if (made !== undefined) {
    return (
      <SecretDialog
        title={`Secret of ${provider}`}
        onClose={onClose}
        label="Signing secret"
        text={made}
        warning="Copy it now, into the provider's webhook settings. It is stored encrypted and cannot be shown again."
      />
    );
  }
  return (
    <Dialog
      title={`${has_secret ? "Rotate" : "Set"} the secret of ${provider}`}
      isHeld={rotate.isPending}
      onClose={onClose}
    >
      <Form
        submitLabel={has_secret ? "Rotate the secret" : "Set the secret"}
        isBusy={rotate.isPending}
        error={rotate.error}
        onCancel={onClose}
        onSubmit={(values) =>
          rotate.mutate(
            {
              provider,
              merchant_id,
              ...(source === "own" ? { secret: textOf(values, "secret").trim() } : {}),
            },
            {
              onSuccess({ secret }) {
                toasts.done(`The secret of ${provider} is ${has_secret ? "rotated" : "set"}`);
                if (secret === undefined) onClose();
              },
            },
          )
        }
      >
        <p className="muted">
          Signs what <Foreign text={provider} /> sends for{" "}
          <strong>
            <Foreign text={merchant_id} />
          </strong>
          .{has_secret ? " The secret it has now works for another 24 hours." : ""}
        </p>
        <SelectField label="Secret" value={source} options={SOURCES} onChange={setSource} />
        {source === "own" ? (
          <Field
            label="The provider's secret"
            name="secret"
            type="password"
            autoComplete="off"
            spellCheck={false}
            hint="whsec_ and the base64 of 24 to 64 bytes."
            error={issueAt(rotate.error, "secret")}
            required
          />
        ) : null}
      </Form>
    </Dialog>
  );
}
