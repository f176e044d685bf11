import { useChangeEventEndpoint, useTestEventEndpoint } from "../../api/events.js";
import { problemText } from "../../api/transport/problem.js";
import type { EventEndpoint } from "../../api/wire-types.js";
import { Age } from "../../design/base/age.js";
import { Badge, type Tone } from "../../design/base/badge.js";
import { Foreign } from "../../design/base/foreign.js";
import { isolated } from "../../design/base/isolated.js";
import { useToasts } from "../../design/feedback/toast.js";
import { Button } from "../../design/forms/button.js";
import { Table, type Column } from "../../design/layout/table.js";
import { Twofold } from "../../design/layout/twofold.js";
import { endpointName } from "./endpoint-name.js";
import "./events.css";

interface EndpointTableProps {
  endpoints: readonly EventEndpoint[];
  onLook(id: string): void;
  onEdit(endpoint: EventEndpoint): void;
  onDelete(endpoint: EventEndpoint): void;
}

/** EVT-4: lists the endpoints, newest first. */
export function EndpointTable({ endpoints, ...actions }: EndpointTableProps) {
  return (
    <Table caption="Event endpoints" columns={columnsFor(actions)} rows={endpoints} keyOf={({ id }) => id} />
  );
}

const STATUSES = {
  enabled: { tone: "good", text: "Enabled" },
  disabled: { tone: "neutral", text: "Disabled" },
  failed: { tone: "critical", text: "Disabled by failures" },
} as const satisfies Record<EventEndpoint["status"], { tone: Tone; text: string }>;

function columnsFor(actions: Omit<EndpointTableProps, "endpoints">): Column<EventEndpoint>[] {
  return [
    {
      key: "endpoint",
      title: "Endpoint",
      cell: ({ url, description, format }) => (
        <Twofold
          first={<Foreign text={url} />}
          second={
            <>
              {format === "slack" ? "Slack" : "Standard Webhooks"}
              {description === null || description === "" ? null : (
                <>
                  : <Foreign text={description} />
                </>
              )}
            </>
          }
        />
      ),
    },
    {
      key: "types",
      title: "Listens to",
      cell: ({ types }) => (
        <span className="event-types">
          {types.map((type) => (
            <Badge key={type} tone="neutral" isPlain>
              {type}
            </Badge>
          ))}
        </span>
      ),
    },
    { key: "status", title: "Status", cell: (endpoint) => <Status endpoint={endpoint} /> },
    { key: "created", title: "Added", cell: ({ created_at }) => <Age at={created_at} /> },
    {
      key: "actions",
      title: "Action",
      isNumeric: true,
      cell: (endpoint) => <Actions endpoint={endpoint} {...actions} />,
    },
  ];
}

/** EVT-5, EVT-8: shows whether the endpoint gets events, and if not, why. */
function Status({ endpoint: { status, failing_since } }: { endpoint: EventEndpoint }) {
  const { tone, text } = STATUSES[status];
  return (
    <Twofold
      first={<Badge tone={status === "enabled" && failing_since !== null ? "watch" : tone}>{text}</Badge>}
      second={
        status === "failed" ? (
          "It took no event for 24 hours"
        ) : status === "disabled" ? (
          "Somebody disabled it; what waits for it waits"
        ) : failing_since === null ? (
          "It takes what it is sent"
        ) : (
          <>
            It has taken nothing since <Age at={failing_since} />
          </>
        )
      }
    />
  );
}

interface ActionsProps extends Omit<EndpointTableProps, "endpoints"> {
  endpoint: EventEndpoint;
}

function Actions({ endpoint, onLook, onEdit, onDelete }: ActionsProps) {
  const test = useTestEventEndpoint();
  const change = useChangeEventEndpoint();
  const toasts = useToasts();
  const { id, url, status } = endpoint;
  const name = endpointName(endpoint);
  const isEnabled = status === "enabled";
  const failed = (error: Error): void => toasts.failed(problemText(error));
  return (
    <span className="event-actions">
      <Button size="small" aria-label={`Deliveries to ${name}`} onClick={() => onLook(id)}>
        Deliveries
      </Button>
      {isEnabled ? (
        <Button
          size="small"
          isBusy={test.isPending}
          aria-label={`Send a test to ${name}`}
          onClick={() =>
            test.mutate(id, {
              onSuccess() {
                toasts.done(`A test is on its way to ${isolated(url)}`);
                onLook(id);
              },
              onError: failed,
            })
          }
        >
          Test
        </Button>
      ) : null}
      <Button
        size="small"
        isBusy={change.isPending}
        aria-label={`${isEnabled ? "Disable" : "Enable"} ${name}`}
        onClick={() => change.mutate({ id, status: isEnabled ? "disabled" : "enabled" }, { onError: failed })}
      >
        {isEnabled ? "Disable" : "Enable"}
      </Button>
      <Button size="small" aria-label={`Edit ${name}`} onClick={() => onEdit(endpoint)}>
        Edit
      </Button>
      <Button size="small" aria-label={`Delete ${name}`} onClick={() => onDelete(endpoint)}>
        Delete
      </Button>
    </span>
  );
}
