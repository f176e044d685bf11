import { useState } from "react";
import { useDeleteExport, useExportPage, type ExportCursor } from "../../api/exports.js";
import type { Export, ExportList } from "../../api/wire-types.js";
import { ConfirmDialog } from "../../design/feedback/confirm-dialog.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { useToasts } from "../../design/feedback/toast.js";
import { Pagination } from "../../design/layout/pagination.js";
import { Panel } from "../../design/layout/panel.js";
import { Stack, StackBar } from "../../design/layout/stack.js";
import { useAddress } from "../../shell/address.js";
import { ExportTable } from "./export-table.js";

const PAGE_SIZE = 25;
const HEIGHT_PX = 320;

/** EXP-14: shows the progress of each export, and its download. */
export default function ExportsPage() {
  const { parameters, edit } = useAddress();
  const cursor = cursorOf(parameters);
  const turnTo = ({ direction, id }: ExportCursor): void =>
    edit({ starting_after: null, ending_before: null, [direction]: id });
  const page = useExportPage(cursor, PAGE_SIZE);
  const [deleting, setDeleting] = useState<Export | null>(null);
  return (
    <Stack>
      <StackBar text="Files of the decision log, the audit log and usage. Each is as of one moment, and is kept for 7 days." />
      <Panel title="Exports" note="newest first" isFlush>
        <Loaded query={page} heightPx={HEIGHT_PX}>
          {({ exports, has_more }) =>
            exports.length === 0 ? (
              <EmptyState icon="download" title="Nothing was exported yet">
                The decision log has a button that makes a file of what it shows.
              </EmptyState>
            ) : (
              <>
                <ExportTable exports={exports} onDelete={setDeleting} />
                <Pagination
                  of="exports"
                  text={cursor === null ? "The newest exports" : "Earlier exports"}
                  {...turnsOf(cursor, { exports, has_more }, turnTo)}
                />
              </>
            )
          }
        </Loaded>
      </Panel>
      {deleting === null ? null : <DeleteDialog one={deleting} onClose={() => setDeleting(null)} />}
    </Stack>
  );
}

function DeleteDialog({ one, onClose }: { one: Export; onClose(): void }) {
  const remove = useDeleteExport();
  const toasts = useToasts();
  return (
    <ConfirmDialog
      title="Delete this export"
      confirmLabel="Delete the export"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(one.id, {
          onSuccess() {
            toasts.done("Deleted the export");
            onClose();
          },
        })
      }
      onClose={onClose}
    >
      <p>Its file cannot be downloaded any more. What it was made from stays.</p>
    </ConfirmDialog>
  );
}

function cursorOf(parameters: URLSearchParams): ExportCursor | null {
  for (const direction of ["starting_after", "ending_before"] as const) {
    const id = parameters.get(direction);
    if (id !== null) return { direction, id };
  }
  return null;
}

/** LIST-5: `has_more` concerns the direction of the walk. In the other direction there is always the previous page. */
function turnsOf(
  cursor: ExportCursor | null,
  { exports, has_more }: ExportList,
  turnTo: (cursor: ExportCursor) => void,
) {
  const isNewer = cursor?.direction === "ending_before";
  const [first, last] = [exports[0], exports.at(-1)];
  const hasNewer = cursor !== null && (!isNewer || has_more);
  const hasOlder = isNewer || has_more;
  return {
    onPrevious:
      hasNewer && first !== undefined ? () => turnTo({ direction: "ending_before", id: first.id }) : null,
    onNext:
      hasOlder && last !== undefined ? () => turnTo({ direction: "starting_after", id: last.id }) : null,
  };
}
