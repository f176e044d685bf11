import type { FailureRecovery, RetryReport } from "../../api/wire-types.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { formatCount, formatName, formatRate } from "../../design/base/format.js";
import { Panel } from "../../design/layout/panel.js";
import { Table, type Column } from "../../design/layout/table.js";

const COLUMNS: readonly Column<FailureRecovery>[] = [
  { key: "provider", title: "Failed on", cell: ({ provider }) => provider },
  { key: "class", title: "With", cell: ({ failure_class }) => formatName(failure_class) },
  {
    key: "decisions",
    title: "Tried again",
    isNumeric: true,
    cell: ({ decisions }) => formatCount(decisions),
  },
  {
    key: "recovered",
    title: "Recovered",
    isNumeric: true,
    cell: ({ recovered, with_outcome }) => `${formatCount(recovered)} of ${formatCount(with_outcome)}`,
  },
  {
    key: "rate",
    title: "Recovery rate",
    isNumeric: true,
    cell: ({ recovery_rate }) => formatRate(recovery_rate),
  },
  {
    key: "same",
    title: "Same provider",
    isNumeric: true,
    cell: ({ same_provider }) => formatRate(same_provider.recovery_rate),
  },
  {
    key: "other",
    title: "Another provider",
    isNumeric: true,
    cell: ({ other_provider }) => formatRate(other_provider.recovery_rate),
  },
];

/** Shows which failures are worth another attempt, and on which provider. */
export function RetryTable({ report }: { report: RetryReport }) {
  return (
    <Panel title="Second attempts" note="what became of payments that had failed before" isFlush>
      {report.by_failure.length === 0 ? (
        <EmptyState icon="reviews" title="No payment was tried again">
          A decision request names the failed attempt in <code>previous_attempt</code>.
        </EmptyState>
      ) : (
        <Table
          caption="Second attempts"
          columns={COLUMNS}
          rows={report.by_failure}
          keyOf={({ provider, failure_class }) => `${provider} ${failure_class}`}
        />
      )}
    </Panel>
  );
}
