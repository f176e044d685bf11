import { useState } from "react";
import { useLocation } from "wouter";
import { EXPORT_FORMATS, type ExportFormat } from "../../domain/vocabulary/vocabulary.js";
import { useCreateExport } from "../api/exports.js";
import type { NewExport } from "../api/wire-types.js";
import { Dialog } from "../design/feedback/dialog.js";
import { Button } from "../design/forms/button.js";
import { Form } from "../design/forms/form.js";
import { SelectField } from "../design/forms/select-field.js";
import { useMode } from "./mode.js";

/** The interval and the filters that a page shows. */
export type ExportedPart = Omit<NewExport, "format" | "mode">;

export const FORMAT_NAMES: Readonly<Record<ExportFormat, string>> = {
  csv: "CSV, for spreadsheets",
  ndjson: "NDJSON, one JSON object a line",
  parquet: "Parquet, for data tools",
};

/** The beginning of all of history. */
export const EVER = "1970-01-01T00:00:00.000Z";

/** EXP-14: exports the page's content. `partOf` is called with the time of the request in Unix milliseconds. */
export function ExportButton({ what, partOf }: { what: string; partOf(nowMs: number): ExportedPart }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Download</Button>
      {isOpen ? <ExportDialog what={what} partOf={partOf} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function ExportDialog({
  what,
  partOf,
  onClose,
}: {
  what: string;
  partOf(nowMs: number): ExportedPart;
  onClose(): void;
}) {
  const { mode, isChosen } = useMode();
  const [, navigate] = useLocation();
  const [format, setFormat] = useState<ExportFormat>("csv");
  const create = useCreateExport();
  return (
    <Dialog title={`Download ${what}`} onClose={onClose}>
      <Form
        submitLabel="Make the file"
        isBusy={create.isPending}
        error={create.error}
        onSubmit={() =>
          create.mutate(
            { ...partOf(Date.now()), mode, format },
            { onSuccess: () => navigate(isChosen ? `/exports?mode=${mode}` : "/exports") },
          )
        }
        onCancel={onClose}
      >
        <p className="muted">
          The file has every row that matches the filters shown, not only this page. It is made in the
          background and waits on the page Exports for 7 days.
        </p>
        <SelectField
          label="Format"
          value={format}
          options={EXPORT_FORMATS.map((value) => ({ value, label: FORMAT_NAMES[value] }))}
          onChange={setFormat}
        />
      </Form>
    </Dialog>
  );
}
