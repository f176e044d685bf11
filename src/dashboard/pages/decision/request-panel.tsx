import type { ReactNode } from "react";
import type { DecisionDetail } from "../../../client/wire-types.js";
import { Facts } from "../../design/layout/facts.js";
import { formatAmount, formatName } from "../../design/base/format.js";
import { Panel } from "../../design/layout/panel.js";
import { Foreign } from "../../design/base/foreign.js";

/** Shows all fields of the request as it was sent. */
export function RequestPanel({ decision }: { decision: DecisionDetail }) {
  const { merchant_id, order_id, transaction, available_providers, decision_mode, ...parts } =
    decision.request;
  const { amount, ...others } = transaction;
  const facts = [
    ["Merchant id", <Foreign key="merchant" text={merchant_id} />],
    ["Order id", <Foreign key="order" text={order_id} />],
    ["Amount", formatAmount(amount, transaction.currency)],
    ...factsOf(others),
    ["Available providers", <Foreign key="providers" text={available_providers.join(", ")} />],
    ["Decision mode", decision_mode ?? "not sent"],
  ] as const;
  return (
    <Panel title="Request" note="as it was sent">
      <Facts facts={facts} />
      <Part title="Previous attempt" fields={parts.previous_attempt} />
      <Part title="Risk signals" fields={parts.risk_signals} />
    </Panel>
  );
}

function Part({ title, fields }: { title: string; fields: object | undefined }) {
  return (
    <>
      <h3 className="part-title">{title}</h3>
      {fields === undefined ? <p className="muted">Not sent.</p> : <Facts facts={factsOf(fields)} />}
    </>
  );
}

function factsOf(fields: object): (readonly [name: string, value: ReactNode])[] {
  return Object.entries(fields).map(([name, value]: [string, unknown]) => [
    formatName(name),
    <Foreign key={name} text={String(value)} />,
  ]);
}
