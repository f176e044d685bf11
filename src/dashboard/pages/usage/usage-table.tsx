import type { UsageRow } from "../../api/wire-types.js";
import { formatUtcMonth } from "../../design/base/format.js";
import { Pagination } from "../../design/layout/pagination.js";
import { Table, type Column } from "../../design/layout/table.js";
import { usePages } from "../../shell/address.js";
import { Foreign } from "../../design/base/foreign.js";

const PAGE_ROWS = 25;
/** Figures are exact, because a bill is checked against them. */
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
  const { first, shown, isOnlyOne, turns } = usePages("page", rows, PAGE_ROWS);
  return (
    <>
      <Table
        caption="Usage"
        columns={COLUMNS}
        rows={shown}
        keyOf={({ month, merchant_id }) => `${month} ${merchant_id}`}
      />
      {isOnlyOne ? null : (
        <Pagination of="rows" text={`${first + 1}–${first + shown.length} of ${rows.length}`} {...turns} />
      )}
    </>
  );
}
