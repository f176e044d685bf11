import { turnsOf } from "../../api/transport/list-cursor.js";
import { useListCursor } from "../../shell/list-cursor.js";
import type { PastDrill } from "../../api/wire-types.js";
import { useDrillPage } from "../../api/drills/drill-pages.js";
import { Time } from "../../design/base/age.js";
import { Badge } from "../../design/base/badge.js";
import { Foreign } from "../../design/base/foreign.js";
import { formatName } from "../../design/base/format.js";
import { HEALTH_TONES } from "../../design/base/tones.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { Pagination } from "../../design/layout/pagination.js";
import { Panel } from "../../design/layout/panel.js";
import { Table, type Column } from "../../design/layout/table.js";
import { Twofold } from "../../design/layout/twofold.js";
import { scopeText } from "../../explain/scope-text.js";
import { useActorNames } from "../../session/actor-names.js";
import { useMode } from "../../shell/mode.js";
import { approvalText, routedText } from "./traffic-text.js";

const PAGE_ROWS = 10;
const HEIGHT_PX = 220;

/** DASH-19, DASH-41: lists the drills of the shown mode: who started and ended each, and its effect on traffic. */
export function DrillHistory() {
  const { mode } = useMode();
  const { cursor, turnTo } = useListCursor();
  const page = useDrillPage(mode, cursor, PAGE_ROWS);
  const { isReady, nameOf } = useActorNames();
  return (
    <Panel title="Past drills" note={`in ${mode} mode, newest first`} isFlush>
      <Loaded query={page} heightPx={HEIGHT_PX} isReady={isReady}>
        {({ drills, has_more }) =>
          drills.length === 0 ? (
            <EmptyState
              icon="drills"
              title={cursor === null ? `No drill was held in ${mode} mode yet` : "No more drills"}
            />
          ) : (
            <>
              <Table
                caption="Past drills"
                columns={columnsFor(nameOf)}
                rows={drills}
                keyOf={({ drill_id }) => drill_id}
              />
              <p className="panel-body muted">
                Decisions are all of this workspace in {mode} mode, and approvals are of those with an
                outcome. Before is the time just before that is as long.
              </p>
              <Pagination
                of="drills"
                text={cursor === null ? "The newest drills" : "Other drills"}
                {...turnsOf(
                  cursor,
                  drills.map(({ drill_id }) => drill_id),
                  has_more,
                  turnTo,
                )}
              />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

function columnsFor(nameOf: (actor: string) => string | null): Column<PastDrill>[] {
  const by = (actor: string) => {
    const name = nameOf(actor);
    return name === null ? "a former member" : <Foreign text={name} />;
  };
  return [
    {
      key: "provider",
      title: "Provider",
      cell: ({ provider, mode, ...scope }) => (
        <Twofold
          first={<Foreign text={provider} />}
          second={scopeText({ ...scope, ...(mode === "both" ? {} : { mode }) })}
        />
      ),
    },
    {
      key: "state",
      title: "Seen as",
      cell: ({ state }) => <Badge tone={HEALTH_TONES[state]}>{formatName(state)}</Badge>,
    },
    {
      key: "began",
      title: "Began",
      cell: ({ started_at, started_by }) => (
        <Twofold first={<Time at={started_at} />} second={<>by {by(started_by)}</>} />
      ),
    },
    {
      key: "ended",
      title: "Ended",
      cell: ({ ended_at, ended_by, ending }) =>
        ended_at === null ? (
          <Badge tone="watch">Holds</Badge>
        ) : (
          <Twofold
            first={<Time at={ended_at} />}
            second={
              ended_by === null ? (
                "its time was over"
              ) : (
                <>
                  {ending === "replaced" ? "replaced by " : "by "}
                  {by(ended_by)}
                </>
              )
            }
          />
        ),
    },
    {
      key: "routed",
      title: "Routed to it",
      cell: ({ traffic }) => <TrafficCell text={routedText(traffic)} />,
    },
    {
      key: "approval",
      title: "Approved",
      cell: ({ traffic }) => <TrafficCell text={approvalText(traffic)} />,
    },
  ];
}

function TrafficCell({ text }: { text: { during: string; before: string } | null }) {
  if (text === null) return <span className="muted">no longer kept</span>;
  return <Twofold first={text.during} second={text.before} />;
}
