import { useCreateEventEndpoint } from "../../api/events.js";
import { Dialog } from "../../design/feedback/dialog.js";
import { SecretDialog } from "../../design/feedback/secret-dialog.js";
import { EndpointForm } from "./endpoint-form.js";

/** EVT-2: adds an endpoint and shows its signing secret once. */
export function CreateEndpointDialog({ onClose }: { onClose(): void }) {
  const create = useCreateEventEndpoint();
  const created = create.data;
  if (created !== undefined) {
    return (
      <SecretDialog
        title="The endpoint is ready"
        onClose={onClose}
        label="Signing secret"
        text={created.secret}
        warning={
          created.event_endpoint.format === "slack"
            ? "Slack does not check signatures, so nothing needs it. It cannot be shown again."
            : "Copy it now, into the secret store of your receiver. It is stored encrypted and cannot be shown again."
        }
      />
    );
  }
  return (
    <Dialog title="Add an event endpoint" isHeld={create.isPending} onClose={onClose}>
      <EndpointForm
        submitLabel="Add the endpoint"
        isBusy={create.isPending}
        error={create.error}
        onSubmit={(body) => create.mutate(body)}
        onCancel={onClose}
      />
    </Dialog>
  );
}
