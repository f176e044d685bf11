import { fileAddressOf, isUnfinished } from "../../api/exports.js";
import type { Export } from "../../api/wire-types.js";
import { Age, Time, Until } from "../../design/base/age.js";
import { Badge, type Tone } from "../../design/base/badge.js";
import { Foreign } from "../../design/base/foreign.js";
import { formatBytes, formatCount, formatName } from "../../design/base/format.js";
import { Progress } from "../../design/feedback/progress.js";
import { Button } from "../../design/forms/button.js";
import { Table, type Column } from "../../design/layout/table.js";
import { Twofold } from "../../design/layout/twofold.js";
import { EVER } from "../../shell/export-button.js";
import "./exports.css";

const TONES: Readonly<Record<Export["status"], Tone>> = {
  queued: "neutral",
  running: "info",
  done: "good",
  failed: "critical",
  expired: "neutral",
};

const ERRORS: Readonly<Record<NonNullable<Export["error"]>, string>> = {
  interrupted: "It was interrupted too often. Try it once more.",
  too_large: "The file would be larger than 4 GiB. Ask for a shorter time.",
  older_log_unavailable: "Decisions of this time cannot be read right now. Make the export again later.",
};

interface ExportTableProps {
  exports: readonly Export[];
  onDelete(one: Export): void;
}

export function ExportTable({ exports, onDelete }: ExportTableProps) {
  return <Table caption="Exports" columns={columnsFor(onDelete)} rows={exports} keyOf={({ id }) => id} />;
}

function columnsFor(onDelete: (one: Export) => void): Column<Export>[] {
  return [
    {
      key: "what",
      title: "What",
      cell: (one) => (
        <Twofold
          first={`${formatName(one.kind)}${one.kind === "audit_log" ? "" : `, ${one.mode}`}`}
          second={one.format.toUpperCase()}
        />
      ),
    },
    {
      key: "time",
      title: "Time",
      cell: ({ from, to }) => (
        <>
          {from === EVER ? "until" : <Time at={from} />}
          {from === EVER ? " " : " to "}
          <Time at={to} />
        </>
      ),
    },
    { key: "filters", title: "Filters", cell: ({ filters }) => <Filters filters={filters} /> },
    { key: "created", title: "Started", cell: ({ created_at }) => <Age at={created_at} /> },
    { key: "status", title: "Status", cell: (one) => <Standing one={one} /> },
    {
      key: "action",
      title: "Action",
      isNumeric: true,
      cell: (one) => (
        <span className="export-actions">
          {one.status === "done" ? (
            // A plain link, so that the browser stores the file without loading it into the page.
            <a className="button button-secondary button-small" href={fileAddressOf(one)} download>
              Download
            </a>
          ) : null}
          <Button size="small" aria-label={`Delete ${one.id}`} onClick={() => onDelete(one)}>
            {isUnfinished(one) ? "Stop" : "Delete"}
          </Button>
        </span>
      ),
    },
  ];
}

function Filters({ filters }: Pick<Export, "filters">) {
  const named = Object.entries(filters);
  if (named.length === 0) return <span className="muted">none</span>;
  return (
    <ul className="export-filters">
      {named.map(([name, value]) => (
        <li key={name}>
          {formatName(name)}: <Foreign text={String(value)} />
        </li>
      ))}
    </ul>
  );
}

function Standing({ one }: { one: Export }) {
  const { status, rows, total_rows: total, bytes, error, expires_at: expiresAt } = one;
  if (status === "running") {
    const text =
      total === null ? `${formatCount(rows)} rows` : `${formatCount(rows)} of ${formatCount(total)} rows`;
    return <Progress label="Rows written" done={rows} total={total ?? 0} text={text} />;
  }
  return (
    <Twofold
      first={<Badge tone={TONES[status]}>{formatName(status)}</Badge>}
      second={
        status === "done" ? (
          <>
            {formatCount(rows)} rows, {formatBytes(bytes)}
            {expiresAt === null ? null : (
              <>
                , expires <Until at={expiresAt} />
              </>
            )}
          </>
        ) : error === null ? null : (
          ERRORS[error]
        )
      }
    />
  );
}
