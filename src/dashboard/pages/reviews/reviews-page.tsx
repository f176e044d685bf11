import { useRef, useState } from "react";
import type { DecisionListRow } from "../../../client/wire-types.js";
import type { ReviewResolution } from "../../../domain/vocabulary/vocabulary.js";
import { useDecisionPage } from "../../api/decisions.js";
import { REVIEWER_ROLES } from "../../api/reviews.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { ErrorState } from "../../design/feedback/error-state.js";
import { formatCount } from "../../design/base/format.js";
import { Pagination } from "../../design/layout/pagination.js";
import { Panel } from "../../design/layout/panel.js";
import { Skeleton } from "../../design/base/skeleton.js";
import { useAccount, useHasRole } from "../../session/session.js";
import { usePageNumber } from "../../shell/address.js";
import { useMode } from "../../shell/mode.js";
import { ReviewCard } from "./review-card.js";
import { ReviewDialog } from "./review-dialog.js";
import "./reviews.css";

const PAGE_ROWS = 10;
const HEIGHT_PX = 420;

/** Lists held payments that wait for a person. */
export default function ReviewsPage() {
  const { mode } = useMode();
  // The key resets the page number when the mode changes.
  return <ReviewQueue key={mode} />;
}

interface Resolving {
  decision: DecisionListRow;
  resolution: ReviewResolution;
}

function ReviewQueue() {
  const { mode } = useMode();
  const { role } = useAccount();
  const mayReview = useHasRole(REVIEWER_ROLES);
  const [page, setPage] = usePageNumber("page");
  const [resolving, setResolving] = useState<Resolving | null>(null);
  const list = useRef<HTMLDivElement>(null);
  // REV-7: shadow decisions never appear here.
  const query = { action: "hold", unresolved: true, page_size: PAGE_ROWS, page } as const;
  const queue = useDecisionPage(mode, query, true);
  const { data } = queue;
  const total = data?.total ?? 0;
  const first = (page - 1) * PAGE_ROWS;
  return (
    <div className="reviews">
      {mayReview ? null : (
        <p className="reviews-note">
          You may read this queue. Resolving reviews is for owners, admins and analysts; you are here as{" "}
          {role}.
        </p>
      )}
      <Panel
        title="Waiting for a review"
        note={data === undefined ? undefined : `${formatCount(total)} held`}
        isFlush
      >
        {/* This element takes the focus when the focused button leaves with its row. */}
        <div ref={list} className="reviews-list" style={{ minHeight: HEIGHT_PX }} tabIndex={-1}>
          {queue.error !== null && data === undefined ? (
            <ErrorState error={queue.error} onRetry={queue.refetch} />
          ) : data === undefined ? (
            <div className="panel-body">
              <Skeleton heightPx={HEIGHT_PX - 20} />
            </div>
          ) : data.decisions.length === 0 ? (
            <EmptyState icon="check" title={total === 0 ? "Nothing waits for a review" : "This page is done"}>
              {total === 0
                ? "A payment comes here when a policy rule of type hold matches, until it is reviewed or its outcome is reported."
                : "The rest of the queue is on the pages before."}
            </EmptyState>
          ) : (
            <ul aria-label="Held payments">
              {data.decisions.map((decision) => (
                <ReviewCard
                  key={decision.decision_id}
                  decision={decision}
                  mayReview={mayReview}
                  onResolve={(resolution) => setResolving({ decision, resolution })}
                />
              ))}
            </ul>
          )}
        </div>
        {total > PAGE_ROWS || page > 1 ? (
          <Pagination
            of="reviews"
            text={
              data === undefined
                ? ""
                : `${first + 1}–${Math.min(first + PAGE_ROWS, total)} of ${formatCount(total)}, newest first`
            }
            onPrevious={page === 1 ? null : () => setPage(page - 1)}
            onNext={data?.has_more === true ? () => setPage(page + 1) : null}
          />
        ) : null}
      </Panel>
      {resolving === null ? null : (
        <ReviewDialog
          {...resolving}
          onClose={() => setResolving(null)}
          onSent={() => setTimeout(() => list.current?.focus())}
        />
      )}
    </div>
  );
}
