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
import { useMode } from "../../shell/mode.js";
import { decisionColumns } from "./decision-columns.js";
import { exportedPart } from "./exported-part.js";
import { LogControls } from "./log-controls.js";
import { OpenPanel } from "./open-panel.js";
import { OpenDecision } from "./order-link.js";
import { useColumns } from "./use-columns.js";
import { focusRow, useListKeys, useOpenDecision } from "./use-open-decision.js";
import { PAGE_ROWS, useDecisionFilters, type Cursor } from "./use-decision-filters.js";
import "./decisions.css";

const ROW_PX = 41;
const HEIGHT_PX = 31 + PAGE_ROWS * ROW_PX;

/** Lists all decisions, newest first. A click opens a decision beside the list. */
export default function DecisionsPage() {
  const { openId, open, close } = useOpenDecision();
  return (
    <div className={openId === null ? "log" : "log log-split"}>
      <div className="log-list">
        <OpenDecision value={open}>
          <DecisionLog openId={openId} onOpen={open} onClose={close} />
        </OpenDecision>
      </div>
      {openId === null ? null : <OpenPanel decisionId={openId} onClose={() => closeTo(openId, close)} />}
    </div>
  );
}

/**
 * Returns the focus to the row of the closed decision. It waits for a frame, because a phone hides the list while a
 * decision is open.
 */
function closeTo(decisionId: string, close: () => void): void {
  close();
  requestAnimationFrame(() => focusRow(decisionId));
}

interface DecisionLogProps {
  openId: string | null;
  onOpen(decisionId: string, replace: boolean): void;
  onClose(): void;
}

function DecisionLog({ openId, onOpen, onClose }: DecisionLogProps) {
  const { mode } = useMode();
  const list = useDecisionFilters();
  const { cursor, query, isSieved, clear, setCursor } = list;
  const [columns, setColumns] = useColumns();
  const decisions = useDecisionPage(mode, query, cursor === null && !isSieved);
  const page = decisions.data;
  const rows = page?.decisions;
  // The rows of the previous filter stay visible, but dimmed, until the answer arrives. They are neither counted nor
  // used for paging.
  const answered = decisions.isPlaceholderData ? undefined : page;
  // A cursor means that the filter is the same. The buttons then stay enabled, and keep the focus during the load.
  const turned = cursor === null ? answered : page;
  const isFiltered = Object.keys(query).some((name) => !["page_size", cursor?.kind].includes(name));
  const older = turn(turned, cursor, "starting_after", setCursor);

  // On the way back to the newest page, the address loses its cursor, so that new decisions appear again.
  const isAtNewest =
    cursor?.kind === "ending_before" && !decisions.isPlaceholderData && page?.has_more === false;
  useEffect(() => {
    if (isAtNewest) setCursor(null, true);
  });
  useListKeys({
    ids: rows?.map(({ decision_id }) => decision_id) ?? [],
    openId,
    onMove: (decisionId) => {
      if (openId !== null) onOpen(decisionId, true);
    },
    onClose: () => {
      if (openId !== null) closeTo(openId, onClose);
    },
  });
  return (
    <>
      <LogControls list={list} isFiltered={isFiltered} columns={columns} onColumns={setColumns} />
      <Panel
        title="Decision log"
        note={noteOf(answered, isFiltered, cursor)}
        actions={
          query.q === undefined ? (
            <ExportButton what="the decision log" partOf={(nowMs) => exportedPart(query, nowMs)} />
          ) : undefined
        }
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
              isPastEnd={cursor !== null && !isSieved}
              onFurther={page?.searched_to === undefined ? null : older}
              onClear={clear}
              onNewest={() => setCursor(null)}
            />
          ) : (
            <Table
              caption="Decision log"
              columns={decisionColumns(columns)}
              rows={rows}
              keyOf={({ decision_id }) => decision_id}
              currentKey={openId}
            />
          )}
        </div>
        <Pagination
          of="decisions"
          text={textOf(answered)}
          onPrevious={turn(turned, cursor, "ending_before", setCursor)}
          onNext={older}
        />
      </Panel>
    </>
  );
}

function noteOf(page: DecisionPage | undefined, isFiltered: boolean, cursor: Cursor): string | undefined {
  if (page?.total === undefined) return cursor === null ? undefined : "newest first";
  return `${formatCount(page.total)} ${isFiltered ? "match" : "in all"}, newest first`;
}

/** Describes which decisions the page has. */
function textOf(page: DecisionPage | undefined): string {
  const newest = page?.decisions[0];
  const oldest = page?.decisions.at(-1);
  if (page === undefined || newest === undefined || oldest === undefined) return "";
  if (page.total !== undefined) return `1–${page.decisions.length} of ${formatCount(page.total)}`;
  return `${formatTime(oldest.created_at)} to ${formatTime(newest.created_at)}`;
}

/**
 * Returns a function that turns to the neighbouring page, or null if there is none. LIST-5: `has_more` is about the
 * direction of the last turn.
 */
function turn(
  page: DecisionPage | undefined,
  cursor: Cursor,
  to: "starting_after" | "ending_before",
  setCursor: (cursor: Cursor) => void,
): (() => void) | null {
  const isForth = to === "starting_after";
  const walked = cursor?.kind ?? "starting_after";
  const row = isForth ? page?.decisions.at(-1) : page?.decisions[0];
  // LOG-27: after a short page, the search continues where it stopped. From an empty page, the page's own cursor
  // leads back.
  const stopped = walked === to ? page?.searched_to : undefined;
  const decisionId = stopped ?? row?.decision_id ?? (walked === to ? undefined : cursor?.decisionId);
  if (page === undefined || decisionId === undefined) return null;
  const hasMore = walked === to ? page.has_more : cursor !== null;
  return hasMore ? () => setCursor({ kind: to, decisionId }) : null;
}

interface NoDecisionsProps {
  isFiltered: boolean;
  isPastEnd: boolean;
  /** Null if no rows are left to examine. */
  onFurther: (() => void) | null;
  onClear(): void;
  onNewest(): void;
}

function NoDecisions({ isFiltered, isPastEnd, onFurther, onClear, onNewest }: NoDecisionsProps) {
  if (onFurther !== null) {
    return (
      <EmptyState icon="decisions" title="No decision found so far">
        <p>The search has looked through a part of the log, and goes on to older decisions.</p>
        <p className="log-empty-action">
          <Button onClick={onFurther}>Search on</Button>
        </p>
      </EmptyState>
    );
  }
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
