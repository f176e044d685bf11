import type { PricingContract } from "../../api/wire-types.js";
import { Age, Time } from "../../design/base/age.js";
import { Badge, type Tone } from "../../design/base/badge.js";
import { Button } from "../../design/forms/button.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { formatCount, formatName } from "../../design/base/format.js";
import { Panel } from "../../design/layout/panel.js";
import { Table, type Column } from "../../design/layout/table.js";
import { useAddress } from "../../shell/address.js";
import { RulesTable } from "./rules-table.js";
import { Foreign } from "../../design/base/foreign.js";

const STATUS_TONES: Readonly<Record<string, Tone>> = {
  active: "good",
  scheduled: "info",
  expired: "neutral",
  replaced: "neutral",
};

/** Lists the merchant's contracts, newest first, and the prices of the selected contract. */
export function ContractsPanel({ contracts }: { contracts: readonly PricingContract[] }) {
  const newest = contracts.toReversed();
  const { parameters, edit } = useAddress();
  const shownId = parameters.get("contract");
  const show = (contract: string | null): void => edit({ contract, prices_page: null });
  const shown = contracts.find(({ contract_id }) => contract_id === shownId);
  return (
    <Panel title="Contracts" note={contracts.length === 0 ? undefined : "in effect or to come"} isFlush>
      {newest.length === 0 ? (
        <EmptyState icon="pricing" title="No contract in effect or to come">
          Without prices, decisions weigh health and policy alone. Upload a contract below.
        </EmptyState>
      ) : (
        <Table
          caption="Contracts"
          columns={columnsOf(shownId, show)}
          rows={newest}
          keyOf={({ contract_id }) => contract_id}
        />
      )}
      {shown === undefined ? null : (
        <section className="contract-prices" aria-label={`Prices of ${shown.contract_name}`}>
          <h3>
            Prices of <Foreign text={shown.contract_name} />
          </h3>
          <RulesTable
            key={shown.contract_id}
            place="prices_page"
            caption={`Prices of ${shown.contract_name}`}
            rows={shown.rules.map((rule, index) => ({ index, rule: { ...rule }, issues: [] }))}
          />
        </section>
      )}
    </Panel>
  );
}

function columnsOf(
  shownId: string | null,
  show: (id: string | null) => void,
): readonly Column<PricingContract>[] {
  return [
    {
      key: "name",
      title: "Contract",
      cell: ({ contract_name }) => (
        <strong>
          <Foreign text={contract_name} />
        </strong>
      ),
    },
    { key: "version", title: "Version", cell: ({ version }) => version },
    {
      key: "status",
      title: "Status",
      cell: ({ status }) => <Badge tone={STATUS_TONES[status] ?? "neutral"}>{formatName(status)}</Badge>,
    },
    {
      key: "from",
      title: "From",
      isNumeric: true,
      cell: ({ effective_from }) => <Time at={effective_from} />,
    },
    {
      key: "to",
      title: "To",
      isNumeric: true,
      cell: ({ effective_to }) =>
        effective_to === null ? <span className="muted">no end</span> : <Time at={effective_to} />,
    },
    { key: "rules", title: "Prices", isNumeric: true, cell: ({ rules_stored }) => formatCount(rules_stored) },
    { key: "replace", title: "Replaces", cell: ({ replace }) => (replace ? "all before" : "nothing") },
    { key: "age", title: "Uploaded", isNumeric: true, cell: ({ created_at }) => <Age at={created_at} /> },
    {
      key: "show",
      title: "Actions",
      isNumeric: true,
      cell: ({ contract_id, contract_name }) => (
        <Button
          size="small"
          aria-expanded={contract_id === shownId}
          aria-label={`${contract_id === shownId ? "Hide" : "Show"} the prices of ${contract_name}`}
          onClick={() => show(contract_id === shownId ? null : contract_id)}
        >
          {contract_id === shownId ? "Hide" : "Show"}
        </Button>
      ),
    },
  ];
}
