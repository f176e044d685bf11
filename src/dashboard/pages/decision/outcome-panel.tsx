import { useState } from "react";
import type { DecisionDetail } from "../../../client/wire-types.js";
import { useOrderDecisions } from "../../api/decisions.js";
import { REVIEWER_ROLES } from "../../api/reviews.js";
import { useTeam } from "../../api/team.js";
import { Age } from "../../design/base/age.js";
import { Badge } from "../../design/base/badge.js";
import { Button } from "../../design/forms/button.js";
import { Facts } from "../../design/layout/facts.js";
import { formatLatency, formatName } from "../../design/base/format.js";
import { Panel } from "../../design/layout/panel.js";
import { OUTCOME_TONES } from "../../design/base/tones.js";
import { useHasRole } from "../../session/session.js";
import { useMode } from "../../shell/mode.js";
import { ReviewDialog } from "../reviews/review-dialog.js";
import type { ReviewResolution } from "../../../domain/vocabulary/vocabulary.js";
import { Foreign } from "../../design/base/foreign.js";

/** Shows the review and the outcome of a decision. */
export function OutcomePanel({ decision }: { decision: DecisionDetail }) {
  const { outcome, review } = decision;
  return (
    <Panel title="Outcome">
      {review === null ? <OpenReview decision={decision} /> : <ReviewFacts review={review} />}
      {outcome === null ? (
        <p className="muted">
          Not reported yet. Your backend tells it with <code>POST /v1/outcomes</code>.
        </p>
      ) : (
        <Facts
          facts={[
            [
              "Outcome",
              <Badge key="outcome" tone={OUTCOME_TONES[outcome.outcome]}>
                {formatName(outcome.outcome)}
              </Badge>,
            ],
            ["Executed on", <Foreign key="executed" text={followedText(decision)} />],
            ["Provider took", formatLatency(outcome.provider_latency_ms)],
            [
              "Provider's reason",
              outcome.provider_reason_code === null ? (
                "–"
              ) : (
                <Foreign key="reason" text={outcome.provider_reason_code} />
              ),
            ],
            ["Failure class", formatName(outcome.failure_class)],
            ["Reported", <Age key="reported" at={outcome.reported_at} />],
          ]}
        />
      )}
    </Panel>
  );
}

function followedText({ route, outcome }: DecisionDetail): string {
  const used = outcome?.provider_used ?? null;
  if (used === null) return "no provider";
  if (used === route?.primary_provider) return `${used}, as instructed`;
  return used === route?.fallback_provider ? `${used}, the fallback` : `${used}, which was not instructed`;
}

function ReviewFacts({ review }: { review: NonNullable<DecisionDetail["review"]> }) {
  const { resolution, note, resolved_by, resolved_at } = review;
  const team = useTeam();
  const member = team.data?.members.find(({ user_id }) => user_id === resolved_by);
  return (
    <div className="review">
      <p>
        <Badge tone={resolution === "approve" ? "good" : "critical"}>
          {resolution === "approve" ? "Approved" : "Rejected"}
        </Badge>{" "}
        {/* Nobody is named until the team has loaded. */}
        {team.isPending ? null : (
          <>
            by {member === undefined ? "a former member" : <Foreign text={member.name ?? member.email} />}
            ,{" "}
          </>
        )}
        <Age at={resolved_at} />
      </p>
      {note === null ? null : (
        <blockquote className="review-note">
          <Foreign text={note} />
        </blockquote>
      )}
    </div>
  );
}

/** Offers to approve or reject a hold that waits for a review. */
function OpenReview({ decision }: { decision: DecisionDetail }) {
  const { action, outcome, decision_id, order_id } = decision;
  const { mode } = useMode();
  const mayReview = useHasRole(REVIEWER_ROLES);
  const [resolution, setResolution] = useState<ReviewResolution | null>(null);
  // Shadow decisions have no review. Only list rows have the decision mode, so the order's list is loaded here.
  const attempts = useOrderDecisions(mode, order_id);
  const row = attempts.data?.decisions.find((row) => row.decision_id === decision_id);
  if (action !== "hold" || outcome !== null || row?.decision_mode !== "enforce") return null;
  return (
    <div className="review">
      <p>
        <Badge tone="degraded">Waits for a review</Badge>
      </p>
      {mayReview ? (
        <p className="review-actions">
          <Button kind="primary" onClick={() => setResolution("approve")}>
            Approve
          </Button>
          <Button kind="danger" onClick={() => setResolution("reject")}>
            Reject
          </Button>
        </p>
      ) : (
        <p className="muted">Owners, admins and analysts resolve reviews.</p>
      )}
      {resolution === null ? null : (
        <ReviewDialog decision={row} resolution={resolution} onClose={() => setResolution(null)} />
      )}
    </div>
  );
}
