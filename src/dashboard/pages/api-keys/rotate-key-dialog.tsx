import { useState } from "react";
import { useRotateApiKey } from "../../api/api-keys.js";
import type { ApiKey } from "../../api/wire-types.js";
import { Foreign } from "../../design/base/foreign.js";
import { Dialog } from "../../design/feedback/dialog.js";
import { SecretDialog } from "../../design/feedback/secret-dialog.js";
import { Form } from "../../design/forms/form.js";
import { SelectField } from "../../design/forms/select-field.js";

/** KEY-10: how long the old key stays valid beside the new one. */
const OVERLAPS = [
  { value: "24", label: "24 hours" },
  { value: "72", label: "3 days" },
  { value: "168", label: "7 days" },
  { value: "1", label: "An hour" },
  { value: "0", label: "Not at all: it ends at once" },
] as const;
type Overlap = (typeof OVERLAPS)[number]["value"];

/** Replaces a key by a new one with the same rights, and shows the new secret once. */
export function RotateKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const rotate = useRotateApiKey();
  const [overlap, setOverlap] = useState<Overlap>("24");
  const rotated = rotate.data;
  if (rotated !== undefined) {
    return (
      <SecretDialog
        title={
          <>
            The new <Foreign text={apiKey.name} /> is ready
          </>
        }
        onClose={onClose}
        label="Secret key"
        text={rotated.secret}
        warning="Copy it now, into the secret store of your backend. It is stored hashed and cannot be shown again."
      />
    );
  }
  return (
    <Dialog
      title={
        <>
          Rotate <Foreign text={apiKey.name} />
        </>
      }
      isHeld={rotate.isPending}
      onClose={onClose}
    >
      <Form
        submitLabel="Rotate the key"
        isBusy={rotate.isPending}
        error={rotate.error}
        onCancel={onClose}
        onSubmit={() => rotate.mutate({ id: apiKey.id, overlapHours: Number(overlap) })}
      >
        <p className="muted">
          The new key has the same name, scopes, merchant and expiry. <code>{apiKey.prefix}…</code> ends by
          itself.
        </p>
        <SelectField
          label="The old key still works for"
          value={overlap}
          options={OVERLAPS}
          onChange={setOverlap}
        />
      </Form>
    </Dialog>
  );
}
