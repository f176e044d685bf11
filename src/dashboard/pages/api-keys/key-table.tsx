import type { ApiKey } from "../../api/wire-types.js";
import { Age, Until } from "../../design/base/age.js";
import { Badge } from "../../design/base/badge.js";
import { Button } from "../../design/forms/button.js";
import { Table, type Column } from "../../design/layout/table.js";
import { Twofold } from "../../design/layout/twofold.js";
import { Foreign } from "../../design/base/foreign.js";
import "./api-keys.css";

interface KeyTableProps {
  keys: readonly ApiKey[];
  /** Unix milliseconds. */
  nowMs: number;
  onRotate(key: ApiKey): void;
  onRevoke(key: ApiKey): void;
}

export function KeyTable({ keys, ...options }: KeyTableProps) {
  return <Table caption="API keys" columns={columnsFor(options)} rows={keys} keyOf={({ id }) => id} />;
}

function isOver({ expires_at }: Pick<ApiKey, "expires_at">, nowMs: number): boolean {
  return expires_at !== null && Date.parse(expires_at) <= nowMs;
}

function Ending({ apiKey: { revoked_at, expires_at }, nowMs }: { apiKey: ApiKey; nowMs: number }) {
  if (revoked_at !== null) {
    return (
      <span className="key-end">
        <Badge tone="critical">Revoked</Badge> <Age at={revoked_at} />
      </span>
    );
  }
  if (expires_at === null) return <span className="muted">never</span>;
  if (!isOver({ expires_at }, nowMs)) return <Until at={expires_at} />;
  return (
    <span className="key-end">
      <Badge tone="neutral">Expired</Badge> <Age at={expires_at} />
    </span>
  );
}

function columnsFor({ nowMs, onRotate, onRevoke }: Omit<KeyTableProps, "keys">): Column<ApiKey>[] {
  return [
    {
      key: "name",
      title: "Name",
      cell: ({ name, prefix }) => (
        <Twofold first={<Foreign text={name} />} second={<span className="mono">{prefix}…</span>} />
      ),
    },
    {
      key: "scopes",
      title: "Scopes",
      cell: ({ scopes }) => (
        <span className="key-scopes">
          {scopes.map((scope) => (
            <Badge key={scope} tone="neutral" isPlain>
              {scope}
            </Badge>
          ))}
        </span>
      ),
    },
    {
      key: "merchant",
      title: "Merchant",
      cell: ({ merchant_id }) =>
        merchant_id === null ? <span className="muted">every merchant</span> : <Foreign text={merchant_id} />,
    },
    {
      key: "used",
      title: "Last used",
      cell: ({ last_used_at }) =>
        last_used_at === null ? <span className="muted">never</span> : <Age at={last_used_at} />,
    },
    { key: "created", title: "Created", cell: ({ created_at }) => <Age at={created_at} /> },
    { key: "ends", title: "Expires", cell: (key) => <Ending apiKey={key} nowMs={nowMs} /> },
    {
      key: "revoke",
      title: "Action",
      isNumeric: true,
      cell: (key) =>
        key.revoked_at === null ? (
          <span className="key-actions">
            {isOver(key, nowMs) ? null : (
              <Button size="small" aria-label={`Rotate ${key.name}`} onClick={() => onRotate(key)}>
                Rotate
              </Button>
            )}
            <Button size="small" aria-label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
              Revoke
            </Button>
          </span>
        ) : null,
    },
  ];
}
