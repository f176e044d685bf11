import type { DecisionListRow } from "../../../client/wire-types.js";
import type { ReviewResolution } from "../../../domain/vocabulary/vocabulary.js";
import { Age } from "../../design/base/age.js";
import { Badge } from "../../design/base/badge.js";
import { Button } from "../../design/forms/button.js";
import { formatAmount, formatName } from "../../design/base/format.js";
import { RISK_TONES } from "../../design/base/tones.js";
import { PlaceLink } from "../../shell/mode.js";
import { DueBadge } from "./due-badge.js";
import { HeldText } from "./held-text.js";
import { Foreign } from "../../design/base/foreign.js";

interface ReviewCardProps {
  decision: DecisionListRow;
  mayReview: boolean;
  /** True if the keys act on this card. */
  isCurrent: boolean;
  isSelected: boolean;
  onSelect(): void;
  onResolve(resolution: ReviewResolution): void;
}

/** Shows one held payment with what a person needs to approve or reject it. */
export function ReviewCard(props: ReviewCardProps) {
  const { decision, mayReview, isCurrent, isSelected, onSelect, onResolve } = props;
  const { decision_id, order_id, amount, currency, country, payment_method, primary_provider } = decision;
  const { risk_score, risk_band, matched_rules, created_at, merchant_id } = decision;
  return (
    <li className="review-card" data-current={isCurrent} tabIndex={-1} id={cardId(decision_id)}>
      <div className="review-card-amount">
        <strong>{formatAmount(amount, currency)}</strong>
        <Badge tone={RISK_TONES[risk_band]}>
          Risk {risk_score}, {risk_band}
        </Badge>
      </div>
      <div className="review-card-what">
        <p className="review-card-order">
          {mayReview ? (
            <input
              type="checkbox"
              aria-label={`Select ${order_id}`}
              checked={isSelected}
              onChange={onSelect}
            />
          ) : null}
          <PlaceLink to={`/decisions/${decision_id}`}>
            <Foreign text={order_id} />
          </PlaceLink>
        </p>
        <p className="muted">
          {formatName(payment_method)}, {country}, <Foreign text={merchant_id} />; then to{" "}
          {primary_provider === null ? "nobody" : <Foreign text={primary_provider} />}
        </p>
      </div>
      <div className="review-card-why">
        <p>
          <HeldText matchedRules={matched_rules} />
        </p>
        <p className="muted">
          held <Age at={created_at} /> <DueBadge heldAt={created_at} />
        </p>
      </div>
      {mayReview ? (
        <div className="review-card-actions">
          <Button kind="primary" aria-label={`Approve ${order_id}`} onClick={() => onResolve("approve")}>
            Approve
          </Button>
          <Button kind="danger" aria-label={`Reject ${order_id}`} onClick={() => onResolve("reject")}>
            Reject
          </Button>
        </div>
      ) : null}
    </li>
  );
}

export function cardId(decisionId: string): string {
  return `review-${decisionId}`;
}
