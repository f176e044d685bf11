import { useState } from "react";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { SCOPES, type Mode, type Scope } from "../../../domain/vocabulary/vocabulary.js";
import { useCreateApiKey } from "../../api/api-keys.js";
import { issueAt } from "../../api/transport/problem.js";
import type { NewApiKey } from "../../api/wire-types.js";
import { useMerchants } from "../../api/workspace.js";
import { Checks } from "../../design/forms/checks.js";
import { Dialog } from "../../design/feedback/dialog.js";
import { Field } from "../../design/forms/field.js";
import { Form } from "../../design/forms/form.js";
import { SecretDialog } from "../../design/feedback/secret-dialog.js";
import { SelectField } from "../../design/forms/select-field.js";
import { textOf } from "../../shell/entrance-form.js";
import { EXPIRIES, expiresAt, type Expiry } from "./expiry.js";
import { FirstDecision } from "./first-decision.js";
import { chosenZone, zoneName } from "../../design/base/zone.js";
import { Foreign } from "../../design/base/foreign.js";

/** AUTH-12: one sentence for each scope. */
const SCOPE_HINTS = {
  "decision:write": "Ask for decisions",
  "outcome:write": "Report outcomes",
  "health:read": "Read provider health",
  "policy:read": "Read decisions and policies, simulate",
  "policy:write": "Create, publish and translate policies",
} as const satisfies Record<Scope, string>;
const SCOPE_OPTIONS = SCOPES.map((value) => ({ value, label: value, hint: SCOPE_HINTS[value] }));
const EVERY_MERCHANT = "";

interface CreateKeyDialogProps {
  mode: Mode;
  /** The merchant that is selected at first. Empty means every merchant. */
  merchantId: string;
  onClose(): void;
}

/** Names a key, chooses its scopes and shows its secret once. */
export function CreateKeyDialog({ mode, merchantId, onClose }: CreateKeyDialogProps) {
  const create = useCreateApiKey();
  const created = create.data;
  if (created === undefined) {
    return (
      <Dialog title={`Create a ${mode} key`} isHeld={create.isPending} onClose={onClose}>
        <KeyForm
          mode={mode}
          firstMerchantId={merchantId}
          isBusy={create.isPending}
          error={create.error}
          onSubmit={(body) => create.mutate(body)}
          onCancel={onClose}
        />
      </Dialog>
    );
  }
  return (
    <SecretDialog
      title={
        <>
          <Foreign text={created.api_key.name} /> is ready
        </>
      }
      onClose={onClose}
      label="Secret key"
      text={created.secret}
      warning="Copy it now, into the secret store of your backend. It is stored hashed and cannot be shown again."
    >
      <FirstDecision apiKey={created.api_key} secret={created.secret} />
    </SecretDialog>
  );
}

interface KeyFormProps {
  mode: Mode;
  firstMerchantId: string;
  isBusy: boolean;
  error: Error | null;
  onSubmit(body: NewApiKey): void;
  onCancel(): void;
}

function KeyForm({ mode, firstMerchantId, isBusy, error, onSubmit, onCancel }: KeyFormProps) {
  const merchants = useMerchants();
  const [scopes, setScopes] = useState<readonly Scope[]>(["decision:write", "outcome:write"]);
  const [merchantId, setMerchantId] = useState(firstMerchantId);
  const [expiry, setExpiry] = useState<Expiry>("never");
  const merchantOptions = [
    { value: EVERY_MERCHANT, label: "Every merchant" },
    ...(merchants.data?.merchants ?? []).map(({ merchant_id }) => ({
      value: merchant_id,
      label: merchant_id,
    })),
  ];
  return (
    <Form
      submitLabel="Create the key"
      isBusy={isBusy}
      error={error}
      isDisabled={scopes.length === 0}
      onCancel={onCancel}
      onSubmit={(values) => {
        const ends = expiresAt(expiry, textOf(values, "date"), Date.now(), chosenZone());
        onSubmit({
          name: textOf(values, "name"),
          mode,
          scopes: [...scopes],
          ...(merchantId === EVERY_MERCHANT ? {} : { merchant_id: merchantId }),
          ...(ends === null ? {} : { expires_at: ends }),
        });
      }}
    >
      <Field
        label="Name"
        name="name"
        hint="Where it will be used: Checkout backend, for example."
        autoComplete="off"
        maxLength={LIMITS.nameCharsMax}
        error={issueAt(error, "name")}
        autoFocus
        required
      />
      <Checks
        label="Scopes"
        name="scopes"
        options={SCOPE_OPTIONS}
        checked={scopes}
        onChange={setScopes}
        error={scopes.length === 0 ? "Choose at least one." : issueAt(error, "scopes")}
      />
      <div className="form-pair">
        <SelectField
          label="Merchant"
          value={merchantId}
          options={merchantOptions}
          onChange={setMerchantId}
          error={issueAt(error, "merchant_id")}
        />
        <SelectField label="Expires" value={expiry} options={EXPIRIES} onChange={setExpiry} />
      </div>
      {expiry === "date" ? (
        <Field
          label="Last day"
          name="date"
          type="date"
          hint={`The key works until the end of that day, in ${zoneName()}.`}
          error={issueAt(error, "expires_at")}
          required
        />
      ) : null}
    </Form>
  );
}
