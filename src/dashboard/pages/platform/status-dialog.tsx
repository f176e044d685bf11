import { useSetWorkspaceStatus } from "../../api/platform.js";
import type { Tenant } from "../../api/wire-types.js";
import { ConfirmDialog } from "../../design/feedback/confirm-dialog.js";
import { useToasts } from "../../design/feedback/toast.js";
import { Foreign } from "../../design/base/foreign.js";
import { isolated } from "../../design/base/isolated.js";

/** ADM-8: a suspension takes effect at once on the node that made it, and within 60 s on every other node. */
export function StatusDialog({ tenant, onClose }: { tenant: Tenant; onClose(): void }) {
  const set = useSetWorkspaceStatus();
  const toasts = useToasts();
  const isActive = tenant.status === "active";
  return (
    <ConfirmDialog
      title={
        <>
          {isActive ? "Suspend" : "Activate"} <Foreign text={tenant.name} />
        </>
      }
      confirmLabel={isActive ? "Suspend the workspace" : "Activate the workspace"}
      isDanger={isActive}
      phrase={tenant.name}
      isBusy={set.isPending}
      error={set.error}
      onConfirm={() =>
        set.mutate(
          { id: tenant.id, verb: isActive ? "suspend" : "activate" },
          {
            onSuccess() {
              toasts.done(`${isolated(tenant.name)} is ${isActive ? "suspended" : "active"}`);
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    >
      <p>
        <code>{tenant.id}</code>{" "}
        {isActive
          ? "is cut off within a minute: every key and every session of it is refused, and its backends get no decision until it is active again."
          : "is let in again within a minute, with the keys and sessions it had."}
      </p>
    </ConfirmDialog>
  );
}
