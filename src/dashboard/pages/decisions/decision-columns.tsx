import type { DecisionListRow } from "../../../client/wire-types.js";
import { Age } from "../../design/base/age.js";
import { Badge } from "../../design/base/badge.js";
import { formatAmount, formatLatency, formatName } from "../../design/base/format.js";
import type { Column } from "../../design/layout/table.js";
import { ACTION_TONES, OUTCOME_TONES, RISK_TONES } from "../../design/base/tones.js";
import { MerchantLink } from "../../shell/merchant/merchant-link.js";
import { OrderLink } from "./order-link.js";
import { Foreign } from "../../design/base/foreign.js";

/** All columns of the log. */
const COLUMNS = [
  {
    key: "action",
    title: "Instruction",
    cell: ({ action, decision_mode }) => (
      <span className="log-action">
        <Badge tone={ACTION_TONES[action]}>{formatName(action)}</Badge>
        {decision_mode === "shadow" ? (
          <Badge tone="neutral" isPlain>
            shadow
          </Badge>
        ) : null}
      </span>
    ),
  },
  {
    key: "order",
    title: "Order",
    cell: ({ decision_id, order_id }) => <OrderLink decisionId={decision_id} orderId={order_id} />,
  },
  {
    key: "merchant",
    title: "Merchant",
    cell: ({ merchant_id }) => (
      <span className="log-merchant">
        <MerchantLink merchantId={merchant_id} />
      </span>
    ),
  },
  {
    key: "amount",
    title: "Amount",
    isNumeric: true,
    cell: ({ amount, currency }) => formatAmount(amount, currency),
  },
  {
    key: "method",
    title: "Method",
    cell: ({ payment_method, country }) => (
      <>
        {formatName(payment_method)} <span className="muted">{country}</span>
      </>
    ),
  },
  {
    key: "provider",
    title: "Provider",
    cell: ({ primary_provider }) =>
      primary_provider === null ? <span className="muted">none</span> : <Foreign text={primary_provider} />,
  },
  {
    key: "fallback",
    title: "Fallback",
    cell: ({ fallback_provider }) =>
      fallback_provider === null ? <span className="muted">none</span> : <Foreign text={fallback_provider} />,
  },
  {
    key: "risk",
    title: "Risk",
    isNumeric: true,
    cell: ({ risk_score, risk_band }) => (
      <Badge tone={RISK_TONES[risk_band]} isPlain>
        {risk_score}
      </Badge>
    ),
  },
  {
    key: "outcome",
    title: "Outcome",
    cell: ({ outcome, review }) =>
      outcome !== null ? (
        <Badge tone={OUTCOME_TONES[outcome.outcome]}>{formatName(outcome.outcome)}</Badge>
      ) : review !== null ? (
        <Badge tone="info">{review.resolution === "approve" ? "Review approved" : "Review rejected"}</Badge>
      ) : (
        <span className="muted">not reported</span>
      ),
  },
  {
    key: "latency",
    title: "Latency",
    isNumeric: true,
    cell: ({ decision_latency_ms }) => formatLatency(decision_latency_ms),
  },
  {
    key: "reasons",
    title: "Reason codes",
    cell: ({ reason_codes }) => <span className="log-reasons">{reason_codes.join(", ")}</span>,
  },
  { key: "decision", title: "Decision", cell: ({ decision_id }) => <code>{decision_id}</code> },
  { key: "age", title: "Made", isNumeric: true, cell: ({ created_at }) => <Age at={created_at} /> },
] as const satisfies readonly Column<DecisionListRow>[];

export type ColumnKey = (typeof COLUMNS)[number]["key"];
export const COLUMN_KEYS: readonly ColumnKey[] = COLUMNS.map(({ key }) => key);
export const COLUMN_TITLES = Object.fromEntries(COLUMNS.map(({ key, title }) => [key, title]));

const NOT_AT_FIRST: readonly ColumnKey[] = ["fallback", "reasons", "decision"];
/** The columns for a person who has not chosen any. */
export const COLUMNS_FIRST = COLUMN_KEYS.filter((key) => !NOT_AT_FIRST.includes(key));

/** The chosen columns. The order's id is always included, because it links to the decision. */
export function decisionColumns(chosen: readonly ColumnKey[]): readonly Column<DecisionListRow>[] {
  return COLUMNS.filter(({ key }) => key === "order" || chosen.includes(key));
}
