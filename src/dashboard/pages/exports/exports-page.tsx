import { turnsOf } from "../../api/transport/list-cursor.js";
import { useListCursor } from "../../shell/list-cursor.js";
import { useState } from "react";
import { useDeleteExport, useExportPage } from "../../api/exports.js";
import type { Export } from "../../api/wire-types.js";
import { ConfirmDialog } from "../../design/feedback/confirm-dialog.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { useToasts } from "../../design/feedback/toast.js";
import { Pagination } from "../../design/layout/pagination.js";
import { Panel } from "../../design/layout/panel.js";
import { Stack, StackBar } from "../../design/layout/stack.js";
import { ExportTable } from "./export-table.js";

const PAGE_SIZE = 25;
const HEIGHT_PX = 320;

/** EXP-14: shows the progress of each export, and a link to its file. */
export default function ExportsPage() {
  const { cursor, turnTo } = useListCursor();
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
                  {...turnsOf(
                    cursor,
                    exports.map(({ id }) => id),
                    has_more,
                    turnTo,
                  )}
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
