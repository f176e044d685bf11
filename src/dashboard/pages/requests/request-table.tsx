import type { RequestLogEntry } from "../../api/wire-types.js";
import { Age } from "../../design/base/age.js";
import { Badge, type Tone } from "../../design/base/badge.js";
import { Foreign } from "../../design/base/foreign.js";
import { formatLatency } from "../../design/base/format.js";
import { Table, type Column } from "../../design/layout/table.js";
import { Twofold } from "../../design/layout/twofold.js";
import "../../shell/row-link.css";
import "./requests.css";

interface RequestTableProps {
  requests: readonly RequestLogEntry[];
  onOpen(request: RequestLogEntry): void;
}

export function RequestTable({ requests, onOpen }: RequestTableProps) {
  return <Table caption="Requests" columns={columnsFor(onOpen)} rows={requests} keyOf={({ id }) => id} />;
}

export function StatusBadge({ status }: { status: number }) {
  return <Badge tone={toneOf(status)}>{status}</Badge>;
}

function toneOf(status: number): Tone {
  if (status >= 500) return "critical";
  return status >= 400 ? "watch" : "good";
}

function columnsFor(onOpen: RequestTableProps["onOpen"]): Column<RequestLogEntry>[] {
  return [
    {
      key: "request",
      title: "Request",
      cell: (request) => (
        <Twofold
          first={
            <button type="button" className="row-link request-open" onClick={() => onOpen(request)}>
              <span className="mono">
                {request.method} {request.path}
              </span>
            </button>
          }
          second={request.error_code ?? ""}
        />
      ),
    },
    { key: "status", title: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
    {
      key: "issue",
      title: "First issue",
      cell: ({ issue_path, issue_code }) =>
        issue_code === null ? (
          <span className="muted">none</span>
        ) : (
          <Twofold
            first={
              <span className="mono">
                <Foreign text={issue_path === null || issue_path === "" ? "the body" : issue_path} />
              </span>
            }
            second={issue_code}
          />
        ),
    },
    {
      key: "key",
      title: "Key",
      cell: ({ api_key_name }) =>
        api_key_name === null ? (
          <span className="muted">a key that is gone</span>
        ) : (
          <Foreign text={api_key_name} />
        ),
    },
    {
      key: "duration",
      title: "Took",
      isNumeric: true,
      cell: ({ duration_ms }) => formatLatency(duration_ms),
    },
    { key: "answered", title: "Answered", cell: ({ answered_at }) => <Age at={answered_at} /> },
  ];
}
