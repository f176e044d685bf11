import { useState } from "react";
import { useRequestLog } from "../../api/request-log.js";
import type { RequestLogEntry } from "../../api/wire-types.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { Button } from "../../design/forms/button.js";
import { Pagination } from "../../design/layout/pagination.js";
import { Panel } from "../../design/layout/panel.js";
import { Stack, StackBar } from "../../design/layout/stack.js";
import { Segments } from "../../design/layout/tabs.js";
import { useAddress, useChoice } from "../../shell/address.js";
import { PlaceLink, useMode } from "../../shell/mode.js";
import { RequestDialog } from "./request-dialog.js";
import { RequestTable } from "./request-table.js";
import { useTail } from "./tail.js";

const PAGE_SIZE = 50;
const HEIGHT_PX = 420;
const STATUSES = ["all", "4xx", "5xx"] as const;
const STATUS_OPTIONS = [
  { value: "all", label: "All" },
  { value: "4xx", label: "Refused (4xx)" },
  { value: "5xx", label: "Failed (5xx)" },
] as const;

/** DASH-22: shows the latest requests made with API keys, as they arrive. */
export default function RequestsPage() {
  const { mode } = useMode();
  const { parameters } = useAddress();
  const [status, setStatus] = useChoice("status", STATUSES, "all", "starting_after");
  const below = parameters.get("starting_after");
  return (
    <Stack>
      <StackBar text="The last requests of this workspace's API keys, for whoever integrates. No body, query or value is kept.">
        <Segments label="Status" value={status} options={STATUS_OPTIONS} onChange={setStatus} />
      </StackBar>
      {/* The key starts an empty list when the filter changes. */}
      <RequestPanel
        key={`${mode} ${status} ${below}`}
        status={status === "all" ? null : status}
        below={below}
      />
    </Stack>
  );
}

interface RequestPanelProps {
  status: string | null;
  below: string | null;
}

function RequestPanel({ status, below }: RequestPanelProps) {
  const { mode } = useMode();
  const { edit } = useAddress();
  const [isPaused, setPaused] = useState(false);
  const [opened, setOpened] = useState<RequestLogEntry | null>(null);
  const isFollowed = below === null && !isPaused;
  const page = useRequestLog({ mode, status, below }, PAGE_SIZE, isFollowed);
  const rows = useTail(page.data);
  const oldest = rows.at(-1);
  return (
    <Panel
      title="Requests"
      note={below !== null ? "earlier" : isPaused ? "paused" : "live"}
      actions={
        below === null ? (
          <Button size="small" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
            {isPaused ? "Follow again" : "Pause"}
          </Button>
        ) : undefined
      }
      isFlush
    >
      <Loaded query={page} heightPx={HEIGHT_PX}>
        {({ has_more }) =>
          rows.length === 0 ? (
            <NoRequests isFiltered={status !== null} isEarlier={below !== null} />
          ) : (
            <>
              <RequestTable requests={rows} onOpen={setOpened} />
              <Pagination
                of="requests"
                text={below === null ? "The newest requests" : "Earlier requests"}
                onPrevious={below === null ? null : () => edit({ starting_after: null })}
                onNext={has_more && oldest !== undefined ? () => edit({ starting_after: oldest.id }) : null}
              />
            </>
          )
        }
      </Loaded>
      {opened === null ? null : <RequestDialog request={opened} onClose={() => setOpened(null)} />}
    </Panel>
  );
}

function NoRequests({ isFiltered, isEarlier }: { isFiltered: boolean; isEarlier: boolean }) {
  const { mode } = useMode();
  if (isEarlier) return <EmptyState icon="requests" title="No earlier requests are kept" />;
  return (
    <EmptyState icon="requests" title={isFiltered ? "No request of this kind" : "No requests yet"}>
      Requests with a {mode} key appear here as they are answered. A request without a working key belongs to
      no workspace and is not listed. <PlaceLink to="/api-keys">API keys</PlaceLink>
    </EmptyState>
  );
}
