import { useEffect, useRef, useState, type ReactNode } from "react";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import type { ReviewResolution } from "../../../domain/vocabulary/vocabulary.js";
import { Button } from "../../design/forms/button.js";
import { NoteField } from "../../design/forms/note-field.js";
import "./reviews.css";

interface ReviewFormProps {
  resolution: ReviewResolution;
  /** The text of the button: `Approve payment`. */
  submitLabel: string;
  /** Says what will happen. */
  children: ReactNode;
  onSend(note: string): void;
  onCancel(): void;
}

/** Asks for confirmation. A rejection may have a note. Enter confirms an approval. */
export function ReviewForm({ resolution, submitLabel, children, onSend, onCancel }: ReviewFormProps) {
  const [note, setNote] = useState("");
  const form = useRef<HTMLFormElement>(null);
  const isApproval = resolution === "approve";
  // When this runs, the dialog is open and its first button has the focus.
  useEffect(() => {
    form.current?.querySelector<HTMLElement>(isApproval ? "[type=submit]" : "textarea")?.focus();
  }, [isApproval]);
  return (
    <form
      ref={form}
      className="review-form"
      onSubmit={(event) => {
        event.preventDefault();
        onSend(note.trim());
      }}
    >
      {children}
      {isApproval ? null : (
        <NoteField
          label="Note"
          hint="Optional, for your team."
          value={note}
          charsMax={LIMITS.reviewNoteCharsMax}
          onChange={setNote}
        />
      )}
      <p className="review-form-actions">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" kind={isApproval ? "primary" : "danger"}>
          {submitLabel}
        </Button>
      </p>
    </form>
  );
}
