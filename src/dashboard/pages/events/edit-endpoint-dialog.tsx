import { useChangeEventEndpoint } from "../../api/events.js";
import type { EventEndpoint } from "../../api/wire-types.js";
import { isolated } from "../../design/base/isolated.js";
import { Dialog } from "../../design/feedback/dialog.js";
import { useToasts } from "../../design/feedback/toast.js";
import { EndpointForm } from "./endpoint-form.js";

/** EVT-5: changes an endpoint. Its secret stays the same. */
export function EditEndpointDialog({ endpoint, onClose }: { endpoint: EventEndpoint; onClose(): void }) {
  const change = useChangeEventEndpoint();
  const toasts = useToasts();
  return (
    <Dialog title="Edit the event endpoint" onClose={onClose}>
      <EndpointForm
        submitLabel="Save"
        endpoint={endpoint}
        isBusy={change.isPending}
        error={change.error}
        onSubmit={(fields) =>
          change.mutate(
            { id: endpoint.id, ...fields },
            {
              onSuccess() {
                toasts.done(`Saved ${isolated(fields.url)}`);
                onClose();
              },
            },
          )
        }
        onCancel={onClose}
      />
    </Dialog>
  );
}
