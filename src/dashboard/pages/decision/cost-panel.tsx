import type { DecisionDetail, PricingSource, ProviderEvaluation } from "../../../client/wire-types.js";
import { Badge } from "../../design/base/badge.js";
import { Facts } from "../../design/layout/facts.js";
import { formatAmount, formatRate } from "../../design/base/format.js";
import { Panel } from "../../design/layout/panel.js";
import { Table, type Column } from "../../design/layout/table.js";
import { objectiveText } from "../../explain/reason-sentences.js";
import { Foreign } from "../../design/base/foreign.js";

/** COST-3: the last two sources are never real pricing. */
const SOURCES = {
  merchant_contract: "your contract",
  provider_webhook_observed: "observed fees",
  estimated_fallback: "estimate",
  unknown: "not known",
} as const satisfies Record<PricingSource, string>;

const HEIGHT_PX = 70;

/**
 * Shows what deterministic-v2 uses besides the scores. A deterministic-v1 decision has none of it, so nothing is
 * shown.
 */
export function CostPanel({ decision }: { decision: DecisionDetail }) {
  const { model, transaction, provider_evaluations, route, cost, economics } = decision;
  if (model.model_version !== "deterministic-v2") return null;
  const { currency } = transaction;
  return (
    <Panel title="Cost and value" note={model.model_version}>
      <div style={{ minHeight: HEIGHT_PX }}>
        {cost !== null && economics !== null ? (
          <Facts
            facts={[
              ["Estimated cost", costText(cost.estimated_cost_minor, cost.currency)],
              ["Share of the amount", bpsText(cost.effective_bps)],
              ["Price from", SOURCES[cost.pricing_source]],
              ["Confidence in the price", `${cost.confidence_score.toFixed(0)} of 100`],
              ["Expected value", formatAmount(economics.expected_value_minor, cost.currency)],
              ["Optimized for", objectiveText(economics.optimization_mode)],
            ]}
          />
        ) : (
          <p className="muted">A blocked payment has no cost.</p>
        )}
      </div>
      <div className="cost-table">
        <Table
          caption="Cost by provider"
          columns={columnsFor(currency, route?.primary_provider ?? null)}
          rows={provider_evaluations}
          keyOf={({ provider }) => provider}
        />
      </div>
    </Panel>
  );
}

/** Null or undefined means that no price is known. */
function costText(costMinor: number | null | undefined, currency: string): string {
  return costMinor === null || costMinor === undefined ? "–" : formatAmount(costMinor, currency);
}

function bpsText(bps: number | null | undefined): string {
  return bps === null || bps === undefined ? "–" : `${(bps / 100).toFixed(2)} %`;
}

function columnsFor(currency: string, primary: string | null): readonly Column<ProviderEvaluation>[] {
  return [
    {
      key: "provider",
      title: "Provider",
      cell: ({ provider }) => {
        const name = <Foreign text={provider} />;
        return provider === primary ? <strong>{name}</strong> : name;
      },
    },
    {
      key: "cost",
      title: "Cost",
      isNumeric: true,
      cell: ({ components }) => costText(components?.estimated_cost_minor, currency),
    },
    {
      key: "bps",
      title: "Of the amount",
      isNumeric: true,
      cell: ({ components }) => bpsText(components?.effective_bps),
    },
    {
      key: "source",
      title: "Price from",
      cell: ({ components, cost_limit_checked }) => {
        const source = components?.pricing_source ?? "unknown";
        const isReal = source === "merchant_contract" || source === "provider_webhook_observed";
        return (
          <>
            <Badge tone={isReal ? "good" : "neutral"} isPlain>
              {SOURCES[source]}
            </Badge>
            {cost_limit_checked === false ? (
              <Badge tone="watch" isPlain>
                limit not checked
              </Badge>
            ) : null}
          </>
        );
      },
    },
    {
      key: "probability",
      title: "Chance of approval",
      isNumeric: true,
      cell: ({ components }) => formatRate(components?.approval_probability ?? null),
    },
  ];
}
