import { useState } from "react";
import type { DecisionListRow } from "../../../client/wire-types.js";

interface Selection {
  /** The selected rows, in the order of the list. */
  selected: readonly DecisionListRow[];
  has(decisionId: string): boolean;
  toggle(decisionId: string): void;
  /** Selects every row. If all are selected, selects none. */
  toggleAll(): void;
  clear(): void;
}

/** The selection among the listed rows. A row that leaves the list is no longer selected. */
export function useSelection(rows: readonly DecisionListRow[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const selected = rows.filter(({ decision_id }) => ids.has(decision_id));
  return {
    selected,
    has: (decisionId) => ids.has(decisionId),
    toggle(decisionId) {
      const after = new Set(selected.map(({ decision_id }) => decision_id));
      if (!after.delete(decisionId)) after.add(decisionId);
      setIds(after);
    },
    toggleAll() {
      setIds(new Set(selected.length === rows.length ? [] : rows.map(({ decision_id }) => decision_id)));
    },
    clear: () => setIds(new Set()),
  };
}
