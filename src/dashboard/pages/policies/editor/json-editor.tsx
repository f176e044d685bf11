import { useRef } from "react";
import { Button } from "../../../design/forms/button.js";
import { TextArea } from "../../../design/forms/text-area.js";
import type { Editing } from "../draft/use-editing.js";

const ROWS_MIN = 16;
const ROWS_MAX = 40;

/** Shows the draft in the form of the API. */
export function JsonEditor({ editing }: { editing: Editing }) {
  const { text, problem, changeText, discardText } = editing;
  const area = useRef<HTMLTextAreaElement>(null);
  const showLine = (line: number): void => {
    const start =
      text
        .split("\n")
        .slice(0, line - 1)
        .join("\n").length + (line > 1 ? 1 : 0);
    const end = text.indexOf("\n", start);
    area.current?.focus();
    area.current?.setSelectionRange(start, end === -1 ? text.length : end);
  };
  const lines = text.split("\n").length;
  return (
    <div className="json-editor">
      <TextArea
        ref={area}
        label="Policy as JSON"
        isCode
        rows={Math.min(ROWS_MAX, Math.max(ROWS_MIN, lines + 1))}
        value={text}
        error={problem?.message}
        onChange={changeText}
      />
      {problem === null ? null : (
        <div className="row">
          {problem.line === null ? null : (
            <Button size="small" onClick={() => showLine(problem.line ?? 1)}>
              Show line {problem.line}
            </Button>
          )}
          <Button size="small" kind="quiet" onClick={discardText}>
            Go back to the last valid text
          </Button>
        </div>
      )}
    </div>
  );
}
