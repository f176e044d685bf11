import { useState } from "react";
import type { UsageRow } from "../../api/wire/wire-administration.js";
import { formatUtcMonth } from "../../design/base/format.js";
import { Pagination } from "../../design/layout/pagination.js";
import { Table, type Column } from "../../design/layout/table.js";
import { Foreign } from "../../design/base/foreign.js";

const PAGE_ROWS = 25;
/** Exact to the last one: a bill is checked against it. */
const EXACT = new Intl.NumberFormat();

const COLUMNS: readonly Column<UsageRow>[] = [
  { key: "month", title: "Month", cell: ({ month }) => monthText(month) },
  { key: "merchant", title: "Merchant", cell: ({ merchant_id }) => <Foreign text={merchant_id} /> },
  {
    key: "decisions",
    title: "Enforced",
    isNumeric: true,
    cell: ({ decisions }) => EXACT.format(decisions),
  },
  {
    key: "shadow",
    title: "Shadow",
    isNumeric: true,
    cell: ({ shadow_decisions }) => EXACT.format(shadow_decisions),
  },
];

function monthText(month: string): string {
  return formatUtcMonth(new Date(`${month}-01T00:00:00Z`));
}

export function UsageTable({ rows }: { rows: readonly UsageRow[] }) {
  const [page, setPage] = useState(0);
  const pages = Math.ceil(rows.length / PAGE_ROWS);
  const at = Math.min(page, pages - 1);
  const first = at * PAGE_ROWS;
  const shown = rows.slice(first, first + PAGE_ROWS);
  return (
    <>
      <Table
        caption="Usage"
        columns={COLUMNS}
        rows={shown}
        keyOf={({ month, merchant_id }) => `${month} ${merchant_id}`}
      />
      {pages === 1 ? null : (
        <Pagination
          of="rows"
          text={`${first + 1}–${first + shown.length} of ${rows.length}`}
          onPrevious={at === 0 ? null : () => setPage(at - 1)}
          onNext={at === pages - 1 ? null : () => setPage(at + 1)}
        />
      )}
    </>
  );
}
