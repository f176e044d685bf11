import type { DecisionListRow } from "../../../client/wire-types.js";
import type { ReviewResolution } from "../../../domain/vocabulary/vocabulary.js";
import { problemText, statusOf } from "../../api/transport/problem.js";
import { useResolveReview } from "../../api/reviews.js";
import { Dialog } from "../../design/feedback/dialog.js";
import { formatAmount } from "../../design/base/format.js";
import { useToasts } from "../../design/feedback/toast.js";
import { useMode } from "../../shell/mode.js";
import { Foreign } from "../../design/base/foreign.js";
import { isolated } from "../../design/base/isolated.js";
import { ReviewForm } from "./review-form.js";

interface ReviewDialogProps {
  decision: DecisionListRow;
  resolution: ReviewResolution;
  onClose(): void;
  /** Called once the review is sent. The decision leaves the queue before the answer arrives. */
  onSent?(): void;
}

/** Asks for confirmation, because a review cannot be undone. */
export function ReviewDialog({ decision, resolution, onClose, onSent }: ReviewDialogProps) {
  const { decision_id, order_id, amount, currency, primary_provider } = decision;
  const { mode } = useMode();
  const toasts = useToasts();
  const resolve = useResolveReview(mode);
  const isApproval = resolution === "approve";
  const send = (note: string): void => {
    void resolve.mutateAsync({ decisionId: decision_id, resolution, note }).then(
      () => toasts.done(`${isApproval ? "Approved" : "Rejected"} ${isolated(order_id)}`),
      (error: unknown) =>
        toasts.failed(
          statusOf(error) === 409
            ? `Somebody was faster: ${isolated(order_id)} is resolved already.`
            : `${isolated(order_id)} ${statusOf(error) === null ? "may still be" : "is still"} held: ${problemText(error)}`,
        ),
    );
    onSent?.();
    onClose();
  };
  return (
    <Dialog title={isApproval ? "Approve this payment?" : "Reject this payment?"} onClose={onClose}>
      <ReviewForm
        resolution={resolution}
        submitLabel={isApproval ? "Approve payment" : "Reject payment"}
        onSend={send}
        onCancel={onClose}
      >
        <p>
          <strong>{formatAmount(amount, currency)}</strong> for order{" "}
          <strong>
            <Foreign text={order_id} />
          </strong>
          .{" "}
          {isApproval ? (
            <>
              Your backend may then send it to{" "}
              {primary_provider === null ? "its provider" : <Foreign text={primary_provider} />}, and reports
              the outcome.
            </>
          ) : (
            "It is recorded as blocked, and no provider is used."
          )}{" "}
          A review cannot be taken back.
        </p>
      </ReviewForm>
    </Dialog>
  );
}
