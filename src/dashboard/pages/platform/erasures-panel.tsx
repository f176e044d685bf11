import { useErasurePage, type ErasureCursor, type ErasurePage } from "../../api/platform.js";
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
import { useAddress } from "../../shell/address.js";

const PAGE_SIZE = 10;
const HEIGHT_PX = 200;

const TONES: Readonly<Record<Erasure["status"], Tone>> = {
  queued: "neutral",
  running: "info",
  done: "good",
  failed: "critical",
};

/** DASH-49: how far each erasure is. */
export function ErasuresPanel() {
  const { parameters, edit } = useAddress();
  const cursor = cursorOf(parameters);
  const turnTo = ({ direction, id }: ErasureCursor): void =>
    edit({ starting_after: null, ending_before: null, [direction]: id });
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
                {...turnsOf(cursor, shown, turnTo)}
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

function cursorOf(parameters: URLSearchParams): ErasureCursor | null {
  for (const direction of ["starting_after", "ending_before"] as const) {
    const id = parameters.get(direction);
    if (id !== null) return { direction, id };
  }
  return null;
}

/** LIST-5: `has_more` is about the direction walked. In the other direction there is always the page before. */
function turnsOf(
  cursor: ErasureCursor | null,
  { erasures, has_more }: ErasurePage,
  turnTo: (cursor: ErasureCursor) => void,
) {
  const isNewer = cursor?.direction === "ending_before";
  const [first, last] = [erasures[0], erasures.at(-1)];
  const hasNewer = cursor !== null && (!isNewer || has_more);
  const hasOlder = isNewer || has_more;
  return {
    onPrevious:
      hasNewer && first !== undefined ? () => turnTo({ direction: "ending_before", id: first.id }) : null,
    onNext:
      hasOlder && last !== undefined ? () => turnTo({ direction: "starting_after", id: last.id }) : null,
  };
}
