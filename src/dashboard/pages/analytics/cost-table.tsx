import type { CostReport, CurrencyCost } from "../../api/wire-types.js";
import { Time } from "../../design/base/age.js";
import { Badge } from "../../design/base/badge.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { formatAmount, formatCount, formatName } from "../../design/base/format.js";
import { Panel } from "../../design/layout/panel.js";
import { Table, type Column } from "../../design/layout/table.js";

const COLUMNS: readonly Column<CurrencyCost>[] = [
  { key: "currency", title: "Currency", cell: ({ currency }) => currency },
  {
    key: "mode",
    title: "Decided as",
    cell: ({ decision_mode }) => (
      <Badge tone={decision_mode === "enforce" ? "accent" : "neutral"} isPlain>
        {formatName(decision_mode)}
      </Badge>
    ),
  },
  {
    key: "decisions",
    title: "Priced decisions",
    isNumeric: true,
    cell: ({ decisions }) => formatCount(decisions),
  },
  {
    key: "cost",
    title: "Estimated cost",
    isNumeric: true,
    cell: ({ estimated_cost_minor, currency }) => formatAmount(estimated_cost_minor, currency),
  },
  {
    key: "dearest",
    title: "Saved against the dearest",
    isNumeric: true,
    cell: ({ saving_vs_most_expensive_minor, currency }) =>
      formatAmount(saving_vs_most_expensive_minor, currency),
  },
  {
    key: "first",
    title: "Saved against the first offered",
    isNumeric: true,
    cell: ({ saving_vs_first_offered_minor, first_offered_decisions, currency }) =>
      first_offered_decisions === 0 ? "–" : formatAmount(saving_vs_first_offered_minor, currency),
  },
];

/** Shows what the decided payments cost, as the decisions' quotes say. Only quotes by real prices count. */
export function CostTable({ report }: { report: CostReport }) {
  return (
    <Panel
      title="Cost"
      note={
        report.since === null ? (
          "of decisions with real prices"
        ) : (
          <>
            counted from <Time at={report.since} />
          </>
        )
      }
      isFlush
    >
      {report.by_currency.length === 0 ? (
        <EmptyState icon="pricing" title="No decision was priced">
          Costs need contract prices, or fees observed through provider webhooks.
        </EmptyState>
      ) : (
        <Table
          caption="Cost"
          columns={COLUMNS}
          rows={report.by_currency}
          keyOf={({ currency, decision_mode }) => `${currency} ${decision_mode}`}
        />
      )}
    </Panel>
  );
}
