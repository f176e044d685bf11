import type { Integration } from "../../api/wire-types.js";
import { Age } from "../../design/base/age.js";
import { Badge } from "../../design/base/badge.js";
import { Button } from "../../design/forms/button.js";
import { Copyable } from "../../design/feedback/copyable.js";
import { Table, type Column } from "../../design/layout/table.js";
import { Twofold } from "../../design/layout/twofold.js";
import { useAccount } from "../../session/session.js";
import { Foreign } from "../../design/base/foreign.js";
import "./integrations.css";

interface IntegrationTableProps {
  integrations: readonly Integration[];
  onRotate(integration: Integration): void;
}

export function IntegrationTable({ integrations, onRotate }: IntegrationTableProps) {
  const { workspace } = useAccount();
  return (
    <Table
      caption="Provider webhooks"
      columns={columnsFor(workspace.id, onRotate)}
      rows={integrations}
      keyOf={({ provider, merchant_id }) => `${provider}/${merchant_id}`}
    />
  );
}

function columnsFor(workspaceId: string, onRotate: IntegrationTableProps["onRotate"]): Column<Integration>[] {
  return [
    {
      key: "provider",
      title: "Provider and webhook address",
      cell: ({ provider, webhook_path, needs_workspace_header }) => (
        <Twofold
          first={<Foreign text={provider} />}
          second={
            <span className="webhook-address">
              <Copyable text={`${window.location.origin}${webhook_path}`} label="webhook address" />
              <Copyable text={`payinference-workspace: ${workspaceId}`} label="webhook header" />
              {needs_workspace_header === true ? (
                <Badge tone="watch">Many workspaces share this address: send the header</Badge>
              ) : null}
            </span>
          }
        />
      ),
    },
    {
      key: "secret",
      title: "Signing secret",
      cell: ({ has_secret }) =>
        has_secret ? <Badge tone="good">Set</Badge> : <Badge tone="neutral">Not set</Badge>,
    },
    {
      key: "rotated",
      title: "Rotated",
      cell: ({ rotated_at }) =>
        rotated_at === null ? <span className="muted">never</span> : <Age at={rotated_at} />,
    },
    {
      key: "event",
      title: "Last event",
      cell: ({ last_event_at }) =>
        last_event_at === null ? <span className="muted">none yet</span> : <Age at={last_event_at} />,
    },
    {
      key: "rotate",
      title: "Action",
      isNumeric: true,
      cell: (integration) => {
        const verb = integration.has_secret ? "Rotate" : "Set up";
        return (
          <Button
            size="small"
            aria-label={`${verb} the secret of ${integration.provider}`}
            onClick={() => onRotate(integration)}
          >
            {verb}
          </Button>
        );
      },
    },
  ];
}
