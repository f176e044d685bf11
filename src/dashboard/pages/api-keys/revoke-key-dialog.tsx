import { useRevokeApiKey } from "../../api/api-keys.js";
import type { ApiKey } from "../../api/wire-types.js";
import { Age } from "../../design/base/age.js";
import { ConfirmDialog } from "../../design/feedback/confirm-dialog.js";
import { useToasts } from "../../design/feedback/toast.js";
import { Foreign } from "../../design/base/foreign.js";
import { isolated } from "../../design/base/isolated.js";

/** KEY-9: the key is refused at once on this node and within a minute on every node. */
export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const revoke = useRevokeApiKey();
  const toasts = useToasts();
  return (
    <ConfirmDialog
      title={
        <>
          Revoke <Foreign text={apiKey.name} />
        </>
      }
      confirmLabel="Revoke the key"
      isBusy={revoke.isPending}
      error={revoke.error}
      onConfirm={() =>
        revoke.mutate(apiKey.id, {
          onSuccess() {
            toasts.done(`Revoked ${isolated(apiKey.name)}`);
            onClose();
          },
        })
      }
      onClose={onClose}
    >
      <p>
        Every request with <code>{apiKey.prefix}…</code> is refused from then on, everywhere within a minute.
        This cannot be undone.{" "}
        {apiKey.last_used_at === null ? (
          "It has never been used."
        ) : (
          <>
            It was last used <Age at={apiKey.last_used_at} />.
          </>
        )}
      </p>
    </ConfirmDialog>
  );
}
