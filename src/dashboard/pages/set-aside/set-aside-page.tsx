import { turnsOf } from "../../api/transport/list-cursor.js";
import { useListCursor } from "../../shell/list-cursor.js";
import { useSetAsidePage } from "../../api/set-aside.js";
import type { SetAsideRecord } from "../../api/wire-types.js";
import { Age } from "../../design/base/age.js";
import { formatName } from "../../design/base/format.js";
import { Copyable } from "../../design/feedback/copyable.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { Button } from "../../design/forms/button.js";
import { Pagination } from "../../design/layout/pagination.js";
import { Panel } from "../../design/layout/panel.js";
import { Stack, StackBar } from "../../design/layout/stack.js";
import { Table, type Column } from "../../design/layout/table.js";
import { useAddress } from "../../shell/address.js";
import { RecordDialog } from "./record-dialog.js";

const PAGE_SIZE = 25;
const HEIGHT_PX = 320;

/**
 * DUR-12: lists acknowledged records that PostgreSQL refused, for the platform admin. Each stays until it is stored
 * or discarded.
 */
export default function SetAsidePage() {
  const { parameters, edit } = useAddress();
  const { cursor, turnTo } = useListCursor();
  const openId = parameters.get("record");
  const open = (id: string | null): void => edit({ record: id });
  const page = useSetAsidePage(cursor, PAGE_SIZE);
  return (
    <Stack>
      <StackBar text="Records that were acknowledged and that PostgreSQL refuses for what they hold. All others are stored." />
      <Panel title="Records set aside" note="newest first" isFlush>
        <Loaded query={page} heightPx={HEIGHT_PX}>
          {({ records, has_more }) =>
            records.length === 0 ? (
              <EmptyState icon="check" title={cursor === null ? "Nothing is set aside" : "No more records"} />
            ) : (
              <>
                <Table
                  caption="Records set aside"
                  columns={columnsFor((record) => open(record.set_aside_id))}
                  rows={records}
                  keyOf={(record) => record.set_aside_id}
                />
                <Pagination
                  of="records"
                  text={cursor === null ? "The newest records" : "Earlier records"}
                  {...turnsOf(
                    cursor,
                    records.map(({ set_aside_id }) => set_aside_id),
                    has_more,
                    turnTo,
                  )}
                />
              </>
            )
          }
        </Loaded>
      </Panel>
      {openId === null ? null : <RecordDialog id={openId} onClose={() => open(null)} />}
    </Stack>
  );
}

function columnsFor(onOpen: (record: SetAsideRecord) => void): Column<SetAsideRecord>[] {
  return [
    { key: "since", title: "Since", cell: ({ set_aside_at }) => <Age at={set_aside_at} /> },
    { key: "kind", title: "Record", cell: ({ kind }) => formatName(kind) },
    {
      key: "workspace",
      title: "Workspace",
      cell: ({ workspace_id: id }) =>
        id === null ? <span className="muted">none</span> : <Copyable text={id} label="workspace id" />,
    },
    { key: "statement", title: "Refused by", cell: ({ statement }) => <code>{statement}</code> },
    { key: "state", title: "SQLSTATE", cell: ({ sql_state }) => <code>{sql_state}</code> },
    {
      key: "open",
      title: "Action",
      isNumeric: true,
      cell: (record) => (
        <Button size="small" aria-label={`Look at ${record.set_aside_id}`} onClick={() => onOpen(record)}>
          Look
        </Button>
      ),
    },
  ];
}
