import { useEffect } from "react";
import type { DecisionPage } from "../../../client/wire-types.js";
import { useDecisionPage } from "../../api/decisions.js";
import { Button } from "../../design/forms/button.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { ErrorState } from "../../design/feedback/error-state.js";
import { formatCount, formatTime } from "../../design/base/format.js";
import { Pagination } from "../../design/layout/pagination.js";
import { Panel } from "../../design/layout/panel.js";
import { Skeleton } from "../../design/base/skeleton.js";
import { Table } from "../../design/layout/table.js";
import { ExportButton } from "../../shell/export-button.js";
import { FacetChips } from "../../shell/facets.js";
import { useMode } from "../../shell/mode.js";
import { DECISION_COLUMNS } from "./decision-columns.js";
import { DecisionFiltersBar } from "./decision-filters.js";
import { exportedPart } from "./exported-part.js";
import { PAGE_ROWS, useDecisionFilters, type Cursor } from "./use-decision-filters.js";
import "./decisions.css";

const ROW_PX = 41;
const HEIGHT_PX = 31 + PAGE_ROWS * ROW_PX;

/** Lists all decisions, newest first. */
export default function DecisionsPage() {
  const { mode } = useMode();
  const { filters, facets, cursor, query, setFilters, removeFacets, clear, setCursor } = useDecisionFilters();
  const decisions = useDecisionPage(mode, query, cursor === null);
  const page = decisions.data;
  const rows = page?.decisions;
  // Rows of another filter stay dimmed until the answer arrives. They are neither counted nor used for turning pages.
  const answered = decisions.isPlaceholderData ? undefined : page;
  // Within one filter the buttons stay enabled and keep the focus. Another filter begins at its newest page.
  const turned = cursor === null ? answered : page;
  const isFiltered = Object.keys(query).some((name) => !["page_size", cursor?.kind].includes(name));

  // A person who walks back to the newest page sees new decisions come in again.
  const isAtNewest =
    cursor?.kind === "ending_before" && !decisions.isPlaceholderData && page?.has_more === false;
  useEffect(() => {
    if (isAtNewest) setCursor(null, true);
  });

  return (
    <div className="log">
      <DecisionFiltersBar filters={filters} isFiltered={isFiltered} onChange={setFilters} onClear={clear} />
      <FacetChips facets={facets} onRemove={removeFacets} />
      <Panel
        title="Decision log"
        note={noteOf(answered, isFiltered, cursor)}
        actions={<ExportButton what="the decision log" partOf={(nowMs) => exportedPart(query, nowMs)} />}
        isFlush
      >
        <div className="log-rows" style={{ minHeight: HEIGHT_PX }} aria-busy={decisions.isPlaceholderData}>
          {decisions.error !== null && rows === undefined ? (
            <ErrorState error={decisions.error} onRetry={decisions.refetch} />
          ) : rows === undefined ? (
            <div className="panel-body">
              <Skeleton heightPx={HEIGHT_PX - 20} />
            </div>
          ) : rows.length === 0 ? (
            <NoDecisions
              isFiltered={isFiltered}
              isPastEnd={cursor !== null}
              onClear={clear}
              onNewest={() => setCursor(null)}
            />
          ) : (
            <Table
              caption="Decision log"
              columns={DECISION_COLUMNS}
              rows={rows}
              keyOf={({ decision_id }) => decision_id}
            />
          )}
        </div>
        <Pagination
          of="decisions"
          text={textOf(answered)}
          onPrevious={turn(turned, cursor, "ending_before", setCursor)}
          onNext={turn(turned, cursor, "starting_after", setCursor)}
        />
      </Panel>
    </div>
  );
}

function noteOf(page: DecisionPage | undefined, isFiltered: boolean, cursor: Cursor): string | undefined {
  if (page?.total === undefined) return cursor === null ? undefined : "newest first";
  return `${formatCount(page.total)} ${isFiltered ? "match" : "in all"}, newest first`;
}

/** Says which decisions are on the page, from the newest to the oldest. */
function textOf(page: DecisionPage | undefined): string {
  const newest = page?.decisions[0];
  const oldest = page?.decisions.at(-1);
  if (page === undefined || newest === undefined || oldest === undefined) return "";
  if (page.total !== undefined) return `1–${page.decisions.length} of ${formatCount(page.total)}`;
  return `${formatTime(oldest.created_at)} to ${formatTime(newest.created_at)}`;
}

/** Returns the neighbouring page, or null when there is none. LIST-5: `has_more` is about the direction walked. */
function turn(
  page: DecisionPage | undefined,
  cursor: Cursor,
  to: "starting_after" | "ending_before",
  setCursor: (cursor: Cursor) => void,
): (() => void) | null {
  const isForth = to === "starting_after";
  const row = isForth ? page?.decisions.at(-1) : page?.decisions[0];
  if (page === undefined || row === undefined) return null;
  const walked = cursor?.kind ?? "starting_after";
  const hasMore = walked === to ? page.has_more : cursor !== null;
  return hasMore ? () => setCursor({ kind: to, decisionId: row.decision_id }) : null;
}

interface NoDecisionsProps {
  isFiltered: boolean;
  isPastEnd: boolean;
  onClear(): void;
  onNewest(): void;
}

function NoDecisions({ isFiltered, isPastEnd, onClear, onNewest }: NoDecisionsProps) {
  if (isPastEnd) {
    return (
      <EmptyState icon="decisions" title="No decisions on this page">
        <p>The address points to a place that is not in this log.</p>
        <p className="log-empty-action">
          <Button onClick={onNewest}>Go to the newest</Button>
        </p>
      </EmptyState>
    );
  }
  if (isFiltered) {
    return (
      <EmptyState icon="decisions" title="No decision matches">
        <p>Nothing in this mode fits all the filters.</p>
        <p className="log-empty-action">
          <Button onClick={onClear}>Clear filters</Button>
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="decisions" title="No decision yet">
      Your backend asks for one with <code>POST /v1/decision</code> and an API key of this mode.
    </EmptyState>
  );
}
