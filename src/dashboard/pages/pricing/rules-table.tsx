import { formatCount } from "../../design/base/format.js";
import { Pagination } from "../../design/layout/pagination.js";
import { Table, type Column } from "../../design/layout/table.js";
import { usePages } from "../../shell/address.js";
import { bpsText, minorText, wordText } from "./price-text.js";

const PAGE_ROWS = 8;

/** A price with its issues. */
export interface RuleRow {
  index: number;
  rule: Readonly<Record<string, unknown>>;
  issues: readonly { message: string; severity: "error" | "warning" }[];
}

const COLUMNS: readonly Column<RuleRow>[] = [
  {
    key: "index",
    title: "Rule",
    isNumeric: true,
    cell: ({ index }) => <span className="muted">{index + 1}</span>,
  },
  { key: "provider", title: "Provider", cell: ({ rule }) => wordText(rule["provider"]) },
  { key: "method", title: "Method", cell: ({ rule }) => wordText(rule["payment_method"]) },
  { key: "network", title: "Network", cell: ({ rule }) => wordText(rule["card_network"]) },
  { key: "country", title: "Country", cell: ({ rule }) => wordText(rule["country"]) },
  { key: "currency", title: "Currency", cell: ({ rule }) => wordText(rule["currency"]) },
  { key: "bps", title: "Percentage", isNumeric: true, cell: ({ rule }) => bpsText(rule["percentage_bps"]) },
  {
    key: "fixed",
    title: "Fixed",
    isNumeric: true,
    cell: ({ rule }) => minorText(rule["fixed_minor"], rule["currency"]),
  },
  {
    key: "min",
    title: "At least",
    isNumeric: true,
    cell: ({ rule }) => minorText(rule["min_fee_minor"], rule["currency"]),
  },
  {
    key: "max",
    title: "At most",
    isNumeric: true,
    cell: ({ rule }) => minorText(rule["max_fee_minor"], rule["currency"]),
  },
  {
    key: "tiers",
    title: "Tiers",
    isNumeric: true,
    cell: ({ rule }) => (Array.isArray(rule["tiers"]) ? formatCount(rule["tiers"].length) : "–"),
  },
];

const ISSUES: Column<RuleRow> = {
  key: "issues",
  title: "Issues",
  cell: ({ issues }) =>
    issues.length === 0 ? (
      <span className="muted">none</span>
    ) : (
      <span className="row-issues">
        {issues.map(({ message, severity }) => (
          <span key={message} className={`issue-${severity}`}>
            {message}
          </span>
        ))}
      </span>
    ),
};

interface RulesTableProps {
  /** The name of the page parameter in the address. */
  place: `${string}_page`;
  caption: string;
  rows: readonly RuleRow[];
  hasIssues?: boolean;
}

/** Lists prices in pages. */
export function RulesTable({ place, caption, rows, hasIssues = false }: RulesTableProps) {
  const { first, shown, isOnlyOne, turns } = usePages(place, rows, PAGE_ROWS);
  return (
    <div className="rules-table">
      <Table
        caption={caption}
        columns={hasIssues ? [COLUMNS[0] ?? ISSUES, ISSUES, ...COLUMNS.slice(1)] : COLUMNS}
        rows={shown}
        keyOf={({ index }) => String(index)}
      />
      {isOnlyOne ? null : (
        <Pagination
          of="prices"
          text={`${formatCount(first + 1)}–${formatCount(first + shown.length)} of ${formatCount(rows.length)}`}
          {...turns}
        />
      )}
    </div>
  );
}
