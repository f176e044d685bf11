import { useRef, useState } from "react";
import { useLocation } from "wouter";
import type { DecisionListRow } from "../../../client/wire-types.js";
import type { ReviewResolution } from "../../../domain/vocabulary/vocabulary.js";
import { useDecisionPage } from "../../api/decisions.js";
import { REVIEWER_ROLES } from "../../api/reviews.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { formatCount } from "../../design/base/format.js";
import { Pagination } from "../../design/layout/pagination.js";
import { Panel } from "../../design/layout/panel.js";
import { useHasRole } from "../../session/session.js";
import { usePageNumber } from "../../shell/address.js";
import { useMode } from "../../shell/mode.js";
import { BulkReviewDialog } from "./bulk-review-dialog.js";
import { KeysDialog } from "./keys-dialog.js";
import { cardId, ReviewCard } from "./review-card.js";
import { ReviewDialog } from "./review-dialog.js";
import { SelectionBar } from "./selection-bar.js";
import { useReviewKeys, type ReviewKey } from "./use-review-keys.js";
import { useSelection } from "./use-selection.js";

const PAGE_ROWS = 10;
const HEIGHT_PX = 420;

interface Resolving {
  decisions: readonly DecisionListRow[];
  resolution: ReviewResolution;
}

/** REV-14, REV-15: lists the payments that wait for a review, oldest first. */
export function ReviewQueue() {
  const { mode } = useMode();
  const mayReview = useHasRole(REVIEWER_ROLES);
  const [page, setPage] = usePageNumber("page");
  const [resolving, setResolving] = useState<Resolving | null>(null);
  const [isHelping, setHelping] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  // REV-7: shadow decisions never appear here.
  const query = { action: "hold", unresolved: true, order: "oldest", page_size: PAGE_ROWS, page } as const;
  const queue = useDecisionPage(mode, query, true);
  const rows = queue.data?.decisions ?? [];
  const selection = useSelection(rows);
  const resolve = (decisions: readonly DecisionListRow[], resolution: ReviewResolution): void => {
    if (mayReview && decisions.length > 0) setResolving({ decisions, resolution });
  };
  const current = useCurrent(rows, {
    resolve: (decision, resolution) =>
      resolve(selection.selected.length > 0 ? selection.selected : decision, resolution),
    toggle: (decisionId) => mayReview && selection.toggle(decisionId),
    toggleAll: () => mayReview && selection.toggleAll(),
    help: () => setHelping(true),
  });
  const total = queue.data?.total ?? 0;
  const focusList = (): void => void setTimeout(() => list.current?.focus());
  return (
    <>
      <Panel
        title="Waiting for a review"
        note={queue.data === undefined ? undefined : `${formatCount(total)} held`}
        isFlush
      >
        {mayReview ? (
          <SelectionBar
            rows={rows}
            selection={selection}
            onResolve={resolve}
            onHelp={() => setHelping(true)}
          />
        ) : null}
        {/* If the focused button leaves with its row, this element takes the focus. */}
        <div ref={list} className="reviews-list" tabIndex={-1}>
          <Loaded query={queue} heightPx={HEIGHT_PX}>
            {() =>
              rows.length === 0 ? (
                <NothingWaits isAll={total === 0} />
              ) : (
                <ul aria-label="Held payments">
                  {rows.map((decision) => (
                    <ReviewCard
                      key={decision.decision_id}
                      decision={decision}
                      mayReview={mayReview}
                      isCurrent={decision.decision_id === current}
                      isSelected={selection.has(decision.decision_id)}
                      onSelect={() => selection.toggle(decision.decision_id)}
                      onResolve={(resolution) => resolve([decision], resolution)}
                    />
                  ))}
                </ul>
              )
            }
          </Loaded>
        </div>
        {total > PAGE_ROWS || page > 1 ? (
          <QueuePages page={page} total={total} hasMore={queue.data?.has_more === true} onTurn={setPage} />
        ) : null}
      </Panel>
      {resolving === null ? null : (
        <ResolvingDialog {...resolving} onClose={() => setResolving(null)} onSent={focusList} />
      )}
      {isHelping ? <KeysDialog onClose={() => setHelping(false)} /> : null}
    </>
  );
}

interface KeyActions {
  resolve(current: readonly DecisionListRow[], resolution: ReviewResolution): void;
  toggle(decisionId: string): void;
  toggleAll(): void;
  help(): void;
}

/** REV-15: returns the payment that the keys act on. Its card has the focus, so that a screen reader reads it. */
function useCurrent(rows: readonly DecisionListRow[], actions: KeyActions): string | null {
  const [, navigate] = useLocation();
  /** The position of the current row. If that row leaves, the next one takes its place. Null until a key is pressed. */
  const [place, setPlace] = useState<number | null>(null);
  const at = place === null ? null : Math.min(place, rows.length - 1);
  const current = at === null ? undefined : rows[at];
  const moveTo = (next: number): void => {
    const row = rows[Math.max(0, Math.min(next, rows.length - 1))];
    if (row === undefined) return;
    setPlace(rows.indexOf(row));
    document.getElementById(cardId(row.decision_id))?.focus();
  };
  const acts: Readonly<Record<ReviewKey, () => void>> = {
    j: () => moveTo(at === null ? 0 : at + 1),
    k: () => moveTo(at === null ? rows.length - 1 : at - 1),
    x: () => current && actions.toggle(current.decision_id),
    X: actions.toggleAll,
    a: () => actions.resolve(current === undefined ? [] : [current], "approve"),
    r: () => actions.resolve(current === undefined ? [] : [current], "reject"),
    Enter: () => current && navigate(`/decisions/${current.decision_id}${window.location.search}`),
    "?": actions.help,
  };
  useReviewKeys((key) => acts[key]());
  return current?.decision_id ?? null;
}

interface ResolvingDialogProps extends Resolving {
  onClose(): void;
  onSent(): void;
}

function ResolvingDialog({ decisions, ...props }: ResolvingDialogProps) {
  const [first] = decisions;
  if (first === undefined) return null;
  return decisions.length === 1 ? (
    <ReviewDialog decision={first} {...props} />
  ) : (
    <BulkReviewDialog decisions={decisions} {...props} />
  );
}

function NothingWaits({ isAll }: { isAll: boolean }) {
  return (
    <EmptyState icon="check" title={isAll ? "Nothing waits for a review" : "This page is done"}>
      {isAll
        ? "A payment comes here when a policy rule of type hold matches, until it is reviewed or its outcome is reported."
        : "The rest of the queue is on the pages before."}
    </EmptyState>
  );
}

interface QueuePagesProps {
  page: number;
  total: number;
  hasMore: boolean;
  onTurn(page: number): void;
}

function QueuePages({ page, total, hasMore, onTurn }: QueuePagesProps) {
  const first = (page - 1) * PAGE_ROWS;
  return (
    <Pagination
      of="reviews"
      text={`${first + 1}–${Math.min(first + PAGE_ROWS, total)} of ${formatCount(total)}, oldest first`}
      isOldestFirst
      onPrevious={page === 1 ? null : () => onTurn(page - 1)}
      onNext={hasMore ? () => onTurn(page + 1) : null}
    />
  );
}
