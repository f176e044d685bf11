import type { DecisionListRow } from "../../../client/wire-types.js";
import { Age } from "../../design/base/age.js";
import { Badge } from "../../design/base/badge.js";
import { formatAmount, formatLatency, formatName } from "../../design/base/format.js";
import type { Column } from "../../design/layout/table.js";
import { ACTION_TONES, OUTCOME_TONES, RISK_TONES } from "../../design/base/tones.js";
import { RowLink } from "../../shell/row-link.js";
import { Foreign } from "../../design/base/foreign.js";

/** The columns of a decision in a list. The order's id links to the decision's page. */
export const DECISION_COLUMNS: readonly Column<DecisionListRow>[] = [
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
    cell: ({ decision_id, order_id }) => (
      <span className="log-order">
        <RowLink to={`/decisions/${decision_id}`}>
          <Foreign text={order_id} />
        </RowLink>
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
  { key: "age", title: "Made", isNumeric: true, cell: ({ created_at }) => <Age at={created_at} /> },
];
