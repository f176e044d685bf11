import { useDeleteEventEndpoint } from "../../api/events.js";
import type { EventEndpoint } from "../../api/wire-types.js";
import { Foreign } from "../../design/base/foreign.js";
import { isolated } from "../../design/base/isolated.js";
import { ConfirmDialog } from "../../design/feedback/confirm-dialog.js";
import { useToasts } from "../../design/feedback/toast.js";

/** EVT-5: deletes an endpoint together with its deliveries. */
export function DeleteEndpointDialog({ endpoint, onClose }: { endpoint: EventEndpoint; onClose(): void }) {
  const remove = useDeleteEventEndpoint();
  const toasts = useToasts();
  const { id, url } = endpoint;
  return (
    <ConfirmDialog
      title="Delete this event endpoint?"
      confirmLabel="Delete the endpoint"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(id, {
          onSuccess() {
            toasts.done(`Deleted ${isolated(url)}`);
            onClose();
          },
        })
      }
      onClose={onClose}
    >
      <p>
        <Foreign text={url} /> gets nothing more, and what waits for it is given up. Its secret ends. This
        cannot be undone.
      </p>
    </ConfirmDialog>
  );
}
