import { turnsOf } from "../../api/transport/list-cursor.js";
import { useListCursor } from "../../shell/list-cursor.js";
import { useErasurePage } from "../../api/platform.js";
import type { Erasure } from "../../api/wire-types.js";
import { Age } from "../../design/base/age.js";
import { Badge, type Tone } from "../../design/base/badge.js";
import { Foreign } from "../../design/base/foreign.js";
import { formatCount, formatName } from "../../design/base/format.js";
import { Copyable } from "../../design/feedback/copyable.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { Pagination } from "../../design/layout/pagination.js";
import { Panel } from "../../design/layout/panel.js";
import { Table, type Column } from "../../design/layout/table.js";
import { Twofold } from "../../design/layout/twofold.js";

const PAGE_SIZE = 10;
const HEIGHT_PX = 200;

const TONES: Readonly<Record<Erasure["status"], Tone>> = {
  queued: "neutral",
  running: "info",
  done: "good",
  failed: "critical",
};

/** DASH-49: shows the state of each erasure. */
export function ErasuresPanel() {
  const { cursor, turnTo } = useListCursor();
  const page = useErasurePage(cursor, PAGE_SIZE);
  return (
    <Panel title="Erasures" isFlush>
      <Loaded query={page} heightPx={HEIGHT_PX}>
        {(shown) =>
          shown.erasures.length === 0 ? (
            <EmptyState icon="platform" title="Nothing was erased" />
          ) : (
            <>
              <Table caption="Erasures" columns={COLUMNS} rows={shown.erasures} keyOf={({ id }) => id} />
              <Pagination
                of="erasures"
                text={cursor === null ? "The newest erasures" : "Earlier erasures"}
                {...turnsOf(
                  cursor,
                  shown.erasures.map(({ id }) => id),
                  shown.has_more,
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

const COLUMNS: Column<Erasure>[] = [
  {
    key: "what",
    title: "What",
    cell: ({ merchant_id: merchantId }) =>
      merchantId === null ? "Workspace" : <Twofold first="Merchant" second={<Foreign text={merchantId} />} />,
  },
  {
    key: "workspace",
    title: "Workspace id",
    cell: ({ workspace_id: id }) => <Copyable text={id} label="workspace id" />,
  },
  {
    key: "status",
    title: "Status",
    cell: ({ status }) => <Badge tone={TONES[status]}>{formatName(status)}</Badge>,
  },
  { key: "requested", title: "Asked for", cell: ({ requested_at }) => <Age at={requested_at} /> },
  {
    key: "rows",
    title: "Rows that left",
    isNumeric: true,
    cell: ({ counts }) => formatCount(Object.values(counts ?? {}).reduce((sum, rows) => sum + rows, 0)),
  },
];
