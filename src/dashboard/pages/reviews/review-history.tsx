import type { DecisionListRow } from "../../../client/wire-types.js";
import { useDecisionPage } from "../../api/decisions.js";
import { useTeam } from "../../api/team.js";
import { Age } from "../../design/base/age.js";
import { Badge } from "../../design/base/badge.js";
import { Foreign } from "../../design/base/foreign.js";
import { formatAmount, formatCount, formatName } from "../../design/base/format.js";
import { OUTCOME_TONES } from "../../design/base/tones.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { Pagination } from "../../design/layout/pagination.js";
import { Panel } from "../../design/layout/panel.js";
import { Table, type Column } from "../../design/layout/table.js";
import { Twofold } from "../../design/layout/twofold.js";
import { usePageNumber } from "../../shell/address.js";
import { PlaceLink, useMode } from "../../shell/mode.js";
import { tookText } from "./due.js";

const PAGE_ROWS = 25;
const HEIGHT_PX = 420;

/** REV-16: lists the results of held payments, newest first. */
export function ReviewHistory() {
  const { mode } = useMode();
  const [page, setPage] = usePageNumber("history_page");
  const query = { action: "hold", decision_mode: "enforce", page_size: PAGE_ROWS, page } as const;
  const history = useDecisionPage(mode, query, true);
  const team = useTeam();
  const names = new Map(team.data?.members.map(({ user_id, name, email }) => [user_id, name ?? email]));
  const total = history.data?.total ?? 0;
  const first = (page - 1) * PAGE_ROWS;
  return (
    <Panel
      title="Held payments and what became of them"
      note={history.data === undefined ? undefined : `${formatCount(total)} held`}
      isFlush
    >
      <Loaded query={history} heightPx={HEIGHT_PX} isReady={!team.isPending}>
        {({ decisions, has_more }) =>
          decisions.length === 0 ? (
            <EmptyState icon="reviews" title="Nothing was held yet" />
          ) : (
            <>
              <Table
                caption="History of reviews"
                columns={columnsFor(names)}
                rows={decisions}
                keyOf={({ decision_id }) => decision_id}
              />
              <Pagination
                of="held payments"
                text={`${first + 1}–${first + decisions.length} of ${formatCount(total)}, newest first`}
                onPrevious={page === 1 ? null : () => setPage(page - 1)}
                onNext={has_more ? () => setPage(page + 1) : null}
              />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

function columnsFor(names: ReadonlyMap<string, string>): Column<DecisionListRow>[] {
  return [
    {
      key: "order",
      title: "Order",
      cell: ({ decision_id, order_id, amount, currency }) => (
        <Twofold
          first={
            <PlaceLink to={`/decisions/${decision_id}`}>
              <Foreign text={order_id} />
            </PlaceLink>
          }
          second={formatAmount(amount, currency)}
        />
      ),
    },
    { key: "held", title: "Held", cell: ({ created_at }) => <Age at={created_at} /> },
    { key: "became", title: "Became", cell: (decision) => <Became decision={decision} /> },
    {
      key: "by",
      title: "By",
      cell: ({ review }) => {
        if (review === null) return <span className="muted">nobody</span>;
        const name = names.get(review.resolved_by);
        return name === undefined ? "a former member" : <Foreign text={name} />;
      },
    },
    {
      key: "took",
      title: "After",
      cell: ({ created_at, review }) => (review === null ? "" : tookText(created_at, review.resolved_at)),
    },
    {
      key: "note",
      title: "Note",
      cell: ({ review }) => (typeof review?.note === "string" ? <Foreign text={review.note} /> : ""),
    },
  ];
}

/** Shows how the payment was resolved: by a review, or by an outcome that the backend reported without a review. */
function Became({ decision: { review, outcome } }: { decision: DecisionListRow }) {
  if (review !== null)
    return review.resolution === "approve" ? (
      <Badge tone="good">Approved</Badge>
    ) : (
      <Badge tone="critical">Rejected</Badge>
    );
  if (outcome === null) return <Badge tone="degraded">Waits for a review</Badge>;
  return (
    <Twofold
      first={<Badge tone={OUTCOME_TONES[outcome.outcome]}>{formatName(outcome.outcome)}</Badge>}
      second="without a review"
    />
  );
}
