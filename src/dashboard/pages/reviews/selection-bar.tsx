import { useId } from "react";
import type { DecisionListRow } from "../../../client/wire-types.js";
import type { ReviewResolution } from "../../../domain/vocabulary/vocabulary.js";
import { Button } from "../../design/forms/button.js";
import type { useSelection } from "./use-selection.js";

interface SelectionBarProps {
  rows: readonly DecisionListRow[];
  selection: ReturnType<typeof useSelection>;
  onResolve(decisions: readonly DecisionListRow[], resolution: ReviewResolution): void;
  onHelp(): void;
}

/**
 * REV-15: resolves the selected payments together. The bar always takes its space, so that a selection moves nothing.
 */
export function SelectionBar({ rows, selection, onResolve, onHelp }: SelectionBarProps) {
  const id = useId();
  const { selected } = selection;
  const isNone = selected.length === 0;
  return (
    <div className="review-selection">
      <span className="review-selection-all">
        <input
          id={id}
          type="checkbox"
          disabled={rows.length === 0}
          checked={!isNone && selected.length === rows.length}
          onChange={selection.toggleAll}
        />
        <label htmlFor={id}>Select all of this page</label>
      </span>
      <span className="muted" role="status">
        {isNone ? "None is selected" : `${selected.length} selected`}
      </span>
      <span className="review-selection-actions">
        <Button size="small" kind="primary" disabled={isNone} onClick={() => onResolve(selected, "approve")}>
          Approve selected
        </Button>
        <Button size="small" kind="danger" disabled={isNone} onClick={() => onResolve(selected, "reject")}>
          Reject selected
        </Button>
        <Button size="small" kind="quiet" onClick={onHelp}>
          Keys (?)
        </Button>
      </span>
    </div>
  );
}
