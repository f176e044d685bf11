import { LIMITS } from "../../../../domain/vocabulary/limits.js";
import { NoteField } from "../../../design/forms/note-field.js";

interface CommentFieldProps {
  value: string;
  onChange(value: string): void;
}

/** POL-22: the reason for the version. */
export function CommentField({ value, onChange }: CommentFieldProps) {
  return (
    <NoteField
      label="Comment"
      hint="What this version changes, and why. Colleagues see it."
      value={value}
      charsMax={LIMITS.policyCommentCharsMax}
      onChange={onChange}
    />
  );
}

/** Returns the comment as the field of POST /v1/policies. */
export function commentOf(comment: string): { comment?: string } {
  const text = comment.trim();
  return text === "" ? {} : { comment: text };
}
