import { turnsOf } from "../../api/transport/list-cursor.js";
import { useListCursor } from "../../shell/list-cursor.js";
import { useEventDeliveries, useRedeliver } from "../../api/events.js";
import { problemText } from "../../api/transport/problem.js";
import type { EventDelivery, EventEndpoint } from "../../api/wire-types.js";
import { Age, Until } from "../../design/base/age.js";
import { Badge, type Tone } from "../../design/base/badge.js";
import { Foreign } from "../../design/base/foreign.js";
import { Copyable } from "../../design/feedback/copyable.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { useToasts } from "../../design/feedback/toast.js";
import { Button } from "../../design/forms/button.js";
import { Pagination } from "../../design/layout/pagination.js";
import { Panel } from "../../design/layout/panel.js";
import { Table, type Column } from "../../design/layout/table.js";
import { Twofold } from "../../design/layout/twofold.js";

const PAGE_SIZE = 25;
const HEIGHT_PX = 240;

/** EVT-11: lists the deliveries to one endpoint with their results, newest first. */
export function DeliveriesPanel({ endpoint, onClose }: { endpoint: EventEndpoint; onClose(): void }) {
  const { cursor, turnTo } = useListCursor();
  const page = useEventDeliveries(endpoint.id, cursor, PAGE_SIZE);
  return (
    <Panel
      title="Deliveries"
      note={<Foreign text={endpoint.url} />}
      actions={
        <Button size="small" onClick={onClose}>
          Close deliveries
        </Button>
      }
      isFlush
    >
      <Loaded query={page} heightPx={HEIGHT_PX}>
        {({ deliveries, has_more }) =>
          deliveries.length === 0 ? (
            <EmptyState icon="events" title={cursor === null ? "Nothing was sent yet" : "No more deliveries"}>
              Send a test to see whether the receiver takes it. What is done is listed for 7 days.
            </EmptyState>
          ) : (
            <>
              <Table
                caption="Deliveries"
                columns={columnsFor(endpoint)}
                rows={deliveries}
                keyOf={({ id }) => id}
              />
              <Pagination
                of="deliveries"
                text={cursor === null ? "The newest deliveries" : "Earlier deliveries"}
                {...turnsOf(
                  cursor,
                  deliveries.map(({ id }) => id),
                  has_more,
                  turnTo,
                )}
              />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

const STATES = {
  waiting: { tone: "watch", text: "Waiting" },
  delivered: { tone: "good", text: "Delivered" },
  failed: { tone: "critical", text: "Given up" },
} as const satisfies Record<EventDelivery["state"], { tone: Tone; text: string }>;

const ERRORS = {
  unresolved: "The name has no address",
  private_address: "The address is not public",
  timeout: "No answer within 10 s",
  connection: "No connection, or a bad certificate",
  secret: "SECRET_KEY does not open its secret",
} as const satisfies Record<NonNullable<EventDelivery["last_error"]>, string>;

function columnsFor(endpoint: EventEndpoint): Column<EventDelivery>[] {
  return [
    {
      key: "event",
      title: "Event",
      cell: ({ type, event_id }) => (
        <Twofold first={type} second={<Copyable text={event_id} label="event id" />} />
      ),
    },
    {
      key: "state",
      title: "State",
      cell: ({ state, next_try_at }) => (
        <Twofold
          first={<Badge tone={STATES[state].tone}>{STATES[state].text}</Badge>}
          second={
            next_try_at === null ? (
              ""
            ) : (
              <>
                next attempt <Until at={next_try_at} />
              </>
            )
          }
        />
      ),
    },
    { key: "attempts", title: "Attempts", isNumeric: true, cell: ({ attempts }) => attempts },
    { key: "answer", title: "Last answer", cell: (delivery) => answerOf(delivery) },
    {
      key: "tried",
      title: "Last attempt",
      cell: ({ last_tried_at }) =>
        last_tried_at === null ? <span className="muted">none yet</span> : <Age at={last_tried_at} />,
    },
    { key: "made", title: "Happened", cell: ({ created_at }) => <Age at={created_at} /> },
    {
      key: "redeliver",
      title: "Action",
      isNumeric: true,
      // EVT-6: an event can be sent again only to an enabled endpoint.
      cell: (delivery) =>
        endpoint.status === "enabled" && delivery.state !== "waiting" ? (
          <RedeliverButton endpointId={endpoint.id} delivery={delivery} />
        ) : null,
    },
  ];
}

function answerOf({ last_status, last_error }: EventDelivery): string {
  if (last_status !== null) return `HTTP ${last_status}`;
  return last_error === null ? "none yet" : ERRORS[last_error];
}

function RedeliverButton({ endpointId, delivery }: { endpointId: string; delivery: EventDelivery }) {
  const redeliver = useRedeliver();
  const toasts = useToasts();
  const { id, type, event_id } = delivery;
  return (
    <Button
      size="small"
      isBusy={redeliver.isPending}
      aria-label={`Redeliver ${type} ${event_id}`}
      onClick={() =>
        redeliver.mutate(
          { endpointId, deliveryId: id },
          {
            onSuccess: () => toasts.done(`${type} is sent once more`),
            onError: (error) => toasts.failed(problemText(error)),
          },
        )
      }
    >
      Redeliver
    </Button>
  );
}
