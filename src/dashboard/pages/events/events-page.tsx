import { useState } from "react";
import { useEventEndpoints } from "../../api/events.js";
import type { EventEndpoint } from "../../api/wire-types.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { Button } from "../../design/forms/button.js";
import { Panel } from "../../design/layout/panel.js";
import { Stack, StackBar } from "../../design/layout/stack.js";
import { useAddress } from "../../shell/address.js";
import { CreateEndpointDialog } from "./create-endpoint-dialog.js";
import { DeleteEndpointDialog } from "./delete-endpoint-dialog.js";
import { DeliveriesPanel } from "./deliveries-panel.js";
import { EditEndpointDialog } from "./edit-endpoint-dialog.js";
import { EndpointTable } from "./endpoint-table.js";
import { ReceiverExample } from "./receiver-example.js";

const HEIGHT_PX = 220;

/** DASH-17: shows the endpoints that receive the workspace's events, and the results of deliveries. */
export default function EventsPage() {
  const endpoints = useEventEndpoints();
  const { parameters, edit } = useAddress();
  const [isCreating, setCreating] = useState(false);
  const [editing, setEditing] = useState<EventEndpoint | null>(null);
  const [deleting, setDeleting] = useState<EventEndpoint | null>(null);
  const listenerId = parameters.get("endpoint");
  const look = (id: string | null): void => edit({ endpoint: id, starting_after: null, ending_before: null });
  // While an endpoint is being deleted, its deliveries are not requested, because the answer would be 404.
  const listener = endpoints.data?.event_endpoints.find(({ id }) => id === listenerId && id !== deleting?.id);
  return (
    <Stack>
      <StackBar text="What happens in this workspace is sent to these addresses, live and test, signed as Standard Webhooks are.">
        <Button kind="primary" onClick={() => setCreating(true)}>
          Add an endpoint
        </Button>
      </StackBar>
      <Panel
        title="Event endpoints"
        note={endpoints.data === undefined ? undefined : `${endpoints.data.event_endpoints.length}`}
        isFlush
      >
        <Loaded query={endpoints} heightPx={HEIGHT_PX}>
          {({ event_endpoints: rows }) =>
            rows.length === 0 ? (
              <EmptyState icon="events" title="Nobody is told yet">
                Add an endpoint, and your backend learns of held payments, reviews, publications, alerts and
                keys as they happen. It needs a receiver that checks the signature; below is a whole one. For
                a channel of Slack, its incoming webhook is enough.
              </EmptyState>
            ) : (
              <EndpointTable endpoints={rows} onLook={look} onEdit={setEditing} onDelete={setDeleting} />
            )
          }
        </Loaded>
      </Panel>
      {listener === undefined ? null : (
        <DeliveriesPanel key={listener.id} endpoint={listener} onClose={() => look(null)} />
      )}
      {endpoints.data === undefined ? null : (
        <ReceiverExample isOpen={endpoints.data.event_endpoints.length === 0} />
      )}
      {isCreating ? <CreateEndpointDialog onClose={() => setCreating(false)} /> : null}
      {editing === null ? null : <EditEndpointDialog endpoint={editing} onClose={() => setEditing(null)} />}
      {deleting === null ? null : (
        <DeleteEndpointDialog endpoint={deleting} onClose={() => setDeleting(null)} />
      )}
    </Stack>
  );
}
