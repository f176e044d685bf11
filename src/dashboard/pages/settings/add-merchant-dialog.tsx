import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { issueAt } from "../../api/transport/problem.js";
import { useAddMerchant } from "../../api/workspace.js";
import { Dialog } from "../../design/feedback/dialog.js";
import { Field } from "../../design/forms/field.js";
import { Form } from "../../design/forms/form.js";
import { useToasts } from "../../design/feedback/toast.js";
import { textOf } from "../../shell/entrance-form.js";
import { isolated } from "../../design/base/isolated.js";
import { Button } from "../../design/forms/button.js";
import { Foreign } from "../../design/base/foreign.js";
import { keyOfMerchant } from "../api-keys/key-address.js";
import { useLocation } from "wouter";

/** DASH-21: adds a merchant, and then offers to create its API key. */
export function AddMerchantDialog({ onClose }: { onClose(): void }) {
  const add = useAddMerchant();
  const toasts = useToasts();
  if (add.data !== undefined)
    return <NextStep merchantId={add.data.merchant.merchant_id} onClose={onClose} />;
  return (
    <Dialog title="Add a merchant" onClose={onClose}>
      <Form
        submitLabel="Add the merchant"
        isBusy={add.isPending}
        error={add.error}
        onCancel={onClose}
        onSubmit={(values) => {
          const name = textOf(values, "name");
          const merchantId = textOf(values, "merchant_id");
          add.mutate(
            { merchant_id: merchantId, ...(name === "" ? {} : { name }) },
            {
              onSuccess: () => toasts.done(`Added ${isolated(merchantId)}`),
            },
          );
        }}
      >
        <Field
          label="Merchant id"
          name="merchant_id"
          hint="What backends send as merchant_id: letters, digits and _ . : - only. It cannot be changed later."
          autoComplete="off"
          spellCheck={false}
          maxLength={LIMITS.merchantIdCharsMax}
          pattern="[A-Za-z0-9_.:\-]+"
          error={issueAt(add.error, "merchant_id")}
          autoFocus
          required
        />
        <Field
          label="Name"
          name="name"
          hint="Optional."
          autoComplete="off"
          maxLength={LIMITS.nameCharsMax}
          error={issueAt(add.error, "name")}
        />
      </Form>
    </Dialog>
  );
}

function NextStep({ merchantId, onClose }: { merchantId: string; onClose(): void }) {
  const [, go] = useLocation();
  return (
    <Dialog
      title={
        <>
          <Foreign text={merchantId} /> is there
        </>
      }
      onClose={onClose}
    >
      <div className="form">
        <p>A backend gets decisions for it with an API key. A test key is the one to begin with.</p>
        <div className="form-foot">
          <Button onClick={onClose}>Not now</Button>
          <Button kind="primary" autoFocus onClick={() => go(keyOfMerchant(merchantId))}>
            Make its key
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
