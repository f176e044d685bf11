import type { DecisionListRow } from "../../../client/wire-types.js";
import type { ReviewResolution } from "../../../domain/vocabulary/vocabulary.js";
import { useResolveReviews } from "../../api/reviews.js";
import { problemText, statusOf } from "../../api/transport/problem.js";
import { formatAmount } from "../../design/base/format.js";
import { Dialog } from "../../design/feedback/dialog.js";
import { useToasts } from "../../design/feedback/toast.js";
import { useMode } from "../../shell/mode.js";
import { ReviewForm } from "./review-form.js";

interface BulkReviewDialogProps {
  /** At least two decisions. */
  decisions: readonly DecisionListRow[];
  resolution: ReviewResolution;
  onClose(): void;
  /** Called once the reviews are sent. The decisions leave the queue before the answer arrives. */
  onSent(): void;
}

/** REV-9: asks for confirmation once, and then resolves all decisions in one request. */
export function BulkReviewDialog({ decisions, resolution, onClose, onSent }: BulkReviewDialogProps) {
  const { mode } = useMode();
  const toasts = useToasts();
  const resolve = useResolveReviews(mode);
  const isApproval = resolution === "approve";
  const count = decisions.length;
  const tell = (refused: number): void => {
    const done = `${isApproval ? "Approved" : "Rejected"} ${count - refused} payments`;
    if (refused === 0) toasts.done(done);
    else toasts.failed(`${done}. ${refused} could not be resolved: somebody was faster, mostly.`);
  };
  const send = (note: string): void => {
    const decisionIds = decisions.map(({ decision_id }) => decision_id);
    void resolve.mutateAsync({ decisionIds, resolution, note }).then(
      ({ results }) => tell(results.filter(({ error }) => error !== null).length),
      (error: unknown) =>
        toasts.failed(
          `${count} payments ${statusOf(error) === null ? "may still be" : "are still"} held: ${problemText(error)}`,
        ),
    );
    onSent();
    onClose();
  };
  return (
    <Dialog title={isApproval ? `Approve ${count} payments?` : `Reject ${count} payments?`} onClose={onClose}>
      <ReviewForm
        resolution={resolution}
        submitLabel={`${isApproval ? "Approve" : "Reject"} ${count} payments`}
        onSend={send}
        onCancel={onClose}
      >
        <p>
          <strong>{sumsOf(decisions).join(", ")}</strong> in all.{" "}
          {isApproval
            ? "Your backend may then send each to its provider, and reports the outcomes."
            : "Each is recorded as blocked, and no provider is used."}{" "}
          A review cannot be taken back.
        </p>
      </ReviewForm>
    </Dialog>
  );
}

/** Returns the sum for each currency. */
function sumsOf(decisions: readonly DecisionListRow[]): string[] {
  const sums = new Map<string, number>();
  for (const { amount, currency } of decisions) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  return Array.from(sums, ([currency, amount]) => formatAmount(amount, currency));
}
