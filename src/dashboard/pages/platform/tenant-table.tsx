import type { Tenant } from "../../api/wire-types.js";
import { Age } from "../../design/base/age.js";
import { Badge } from "../../design/base/badge.js";
import { Button } from "../../design/forms/button.js";
import { Copyable } from "../../design/feedback/copyable.js";
import { formatName } from "../../design/base/format.js";
import { Pagination } from "../../design/layout/pagination.js";
import { Table, type Column } from "../../design/layout/table.js";
import { usePages } from "../../shell/address.js";
import { useAccount } from "../../session/session.js";
import { Foreign } from "../../design/base/foreign.js";
import "./platform.css";

const PAGE_ROWS = 25;

interface TenantTableProps {
  tenants: readonly Tenant[];
  onChange(tenant: Tenant): void;
  onErase(tenant: Tenant): void;
}

export function TenantTable({ tenants, onChange, onErase }: TenantTableProps) {
  const { workspace } = useAccount();
  const { first, shown, isOnlyOne, turns } = usePages("page", tenants, PAGE_ROWS);
  return (
    <>
      <Table
        caption="Workspaces"
        columns={columnsFor(workspace.id, onChange, onErase)}
        rows={shown}
        keyOf={({ id }) => id}
      />
      {isOnlyOne ? null : (
        <Pagination
          of="workspaces"
          text={`${first + 1}–${first + shown.length} of ${tenants.length}`}
          {...turns}
        />
      )}
    </>
  );
}

function columnsFor(
  ownId: string,
  onChange: TenantTableProps["onChange"],
  onErase: TenantTableProps["onErase"],
): Column<Tenant>[] {
  return [
    { key: "name", title: "Name", cell: ({ name }) => <Foreign text={name} /> },
    { key: "id", title: "Workspace id", cell: ({ id }) => <Copyable text={id} label="workspace id" /> },
    {
      key: "status",
      title: "Status",
      cell: ({ status }) => (
        <Badge tone={status === "active" ? "good" : "critical"}>{formatName(status)}</Badge>
      ),
    },
    { key: "since", title: "Created", cell: ({ created_at }) => <Age at={created_at} /> },
    {
      key: "change",
      title: "Action",
      isNumeric: true,
      cell(tenant) {
        // An admin who suspended their own workspace could not undo it.
        if (tenant.id === ownId) return <span className="muted">your own</span>;
        const verb = tenant.status === "active" ? "Suspend" : "Activate";
        return (
          <span className="tenant-actions">
            <Button size="small" aria-label={`${verb} ${tenant.name}`} onClick={() => onChange(tenant)}>
              {verb}
            </Button>
            {tenant.status === "active" ? null : (
              <Button size="small" aria-label={`Erase ${tenant.name}`} onClick={() => onErase(tenant)}>
                Erase
              </Button>
            )}
          </span>
        );
      },
    },
  ];
}
