import type { AnalyticsSummary, SeriesPoint } from "../../api/wire-types.js";
import { formatCount, formatRate } from "../../design/base/format.js";
import { Pagination } from "../../design/layout/pagination.js";
import { Table, type Column } from "../../design/layout/table.js";
import { usePages } from "../../shell/address.js";
import { stepText } from "./step-text.js";

const PAGE_ROWS = 7;

/** Shows the chart's figures as a table. */
export function StepTable({ summary }: { summary: AnalyticsSummary }) {
  const { series, series_interval } = summary;
  const { first, shown, isOnlyOne, turns } = usePages("page", series.toReversed(), PAGE_ROWS);
  return (
    <>
      <Table
        caption={`By ${series_interval}`}
        columns={columnsFor(series_interval)}
        rows={shown}
        keyOf={({ start }) => start}
      />
      {isOnlyOne ? null : (
        <Pagination of="steps" text={`${first + 1}–${first + shown.length} of ${series.length}`} {...turns} />
      )}
    </>
  );
}

function columnsFor(interval: AnalyticsSummary["series_interval"]): Column<SeriesPoint>[] {
  return [
    { key: "start", title: "From", cell: ({ start }) => stepText(interval, start) },
    { key: "total", title: "Decisions", isNumeric: true, cell: ({ total }) => formatCount(total) },
    {
      key: "outcomes",
      title: "Outcomes",
      isNumeric: true,
      cell: ({ with_outcome }) => formatCount(with_outcome),
    },
    {
      key: "rate",
      title: "Approved",
      isNumeric: true,
      cell: ({ approval_rate }) => formatRate(approval_rate),
    },
  ];
}
