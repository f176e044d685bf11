import type { ObservedPrice } from "../../api/wire-types.js";
import { Badge } from "../../design/base/badge.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { formatCount } from "../../design/base/format.js";
import { Panel } from "../../design/layout/panel.js";
import { Table, type Column } from "../../design/layout/table.js";
import { bpsText, minorText, wordText } from "./price-text.js";

const COLUMNS: readonly Column<ObservedPrice>[] = [
  { key: "provider", title: "Provider", cell: ({ provider }) => provider },
  { key: "method", title: "Method", cell: ({ payment_method }) => wordText(payment_method) },
  { key: "network", title: "Network", cell: ({ card_network }) => wordText(card_network) },
  { key: "country", title: "Country", cell: ({ country }) => wordText(country) },
  { key: "currency", title: "Currency", cell: ({ currency }) => currency },
  { key: "bps", title: "Percentage", isNumeric: true, cell: ({ percentage_bps }) => bpsText(percentage_bps) },
  {
    key: "fixed",
    title: "Fixed",
    isNumeric: true,
    cell: ({ fixed_minor, currency }) => minorText(fixed_minor, currency),
  },
  { key: "samples", title: "Fees", isNumeric: true, cell: ({ sample_size }) => formatCount(sample_size) },
  {
    key: "error",
    title: "Median error",
    isNumeric: true,
    cell: ({ median_error_bps }) => bpsText(median_error_bps),
  },
  {
    key: "counts",
    title: "Used as a price",
    cell: ({ counts_as_pricing }) =>
      counts_as_pricing ? <Badge tone="good">Yes</Badge> : <Badge tone="neutral">Estimate</Badge>,
  },
];

/** Shows prices that were derived from the fees that providers reported. */
export function ObservedPanel({ observed }: { observed: readonly ObservedPrice[] }) {
  return (
    <Panel title="Observed prices" note="from provider webhooks" isFlush>
      {observed.length === 0 ? (
        <EmptyState icon="integrations" title="No fee observed yet">
          Providers report fees through webhooks; 200 that agree make a price.
        </EmptyState>
      ) : (
        <Table
          caption="Observed prices"
          columns={COLUMNS}
          rows={observed}
          keyOf={({ provider, payment_method, card_network, country, currency }) =>
            [provider, payment_method, card_network, country, currency].join()
          }
        />
      )}
    </Panel>
  );
}
