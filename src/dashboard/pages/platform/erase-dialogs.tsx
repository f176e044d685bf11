import { useState } from "react";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { useErase } from "../../api/platform.js";
import { issueAt } from "../../api/transport/problem.js";
import type { Tenant } from "../../api/wire-types.js";
import { Foreign } from "../../design/base/foreign.js";
import { isolated } from "../../design/base/isolated.js";
import { ConfirmDialog } from "../../design/feedback/confirm-dialog.js";
import { Dialog } from "../../design/feedback/dialog.js";
import { useToasts } from "../../design/feedback/toast.js";
import { Field } from "../../design/forms/field.js";
import { Form } from "../../design/forms/form.js";
import { textOf } from "../../shell/entrance-form.js";

/** DASH-49: erases a suspended workspace. The person must type its name. */
export function EraseWorkspaceDialog({ tenant, onClose }: { tenant: Tenant; onClose(): void }) {
  const erase = useErase();
  const toasts = useToasts();
  return (
    <ConfirmDialog
      title={
        <>
          Erase <Foreign text={tenant.name} />
        </>
      }
      confirmLabel="Erase the workspace for good"
      phrase={tenant.name}
      isBusy={erase.isPending}
      error={erase.error}
      onConfirm={() =>
        erase.mutate(
          { workspace_id: tenant.id },
          {
            onSuccess() {
              toasts.done(`${isolated(tenant.name)} is being erased`);
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    >
      <p>
        <code>{tenant.id}</code> leaves every table and the archive: decisions, policies, prices, keys, the
        audit log, and people who are in no other workspace. Nothing brings it back.
      </p>
    </ConfirmDialog>
  );
}

/**
 * DASH-49: erases one merchant. The admin must type the merchant's id twice, because only the merchant's own workspace
 * can list it.
 */
export function EraseMerchantDialog({ onClose }: { onClose(): void }) {
  const erase = useErase();
  const toasts = useToasts();
  const [isDifferent, setDifferent] = useState(false);
  return (
    <Dialog title="Erase a merchant" isHeld={erase.isPending} onClose={onClose}>
      <Form
        submitLabel="Erase the merchant for good"
        isBusy={erase.isPending}
        error={erase.error}
        isDanger
        onCancel={onClose}
        onSubmit={(values) => {
          const merchantId = textOf(values, "merchant_id").trim();
          if (textOf(values, "again").trim() !== merchantId) return setDifferent(true);
          setDifferent(false);
          erase.mutate(
            { workspace_id: textOf(values, "workspace_id").trim(), merchant_id: merchantId },
            {
              onSuccess() {
                toasts.done(`${isolated(merchantId)} is being erased`);
                onClose();
              },
            },
          );
        }}
      >
        <p className="muted">
          Its decisions are refused at once, and everything of it leaves. Its id cannot be used again in the
          workspace. Nothing brings it back.
        </p>
        <Field
          label="Workspace id"
          name="workspace_id"
          autoComplete="off"
          error={issueAt(erase.error, "workspace_id")}
          autoFocus
          required
        />
        <Field
          label="Merchant id"
          name="merchant_id"
          autoComplete="off"
          maxLength={LIMITS.merchantIdCharsMax}
          error={issueAt(erase.error, "merchant_id")}
          required
        />
        <Field
          label="Merchant id, once more"
          name="again"
          autoComplete="off"
          maxLength={LIMITS.merchantIdCharsMax}
          error={isDifferent ? "It differs from the merchant id above." : undefined}
          required
        />
      </Form>
    </Dialog>
  );
}
