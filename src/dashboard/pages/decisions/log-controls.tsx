import { useId, useState } from "react";
import { Button } from "../../design/forms/button.js";
import { Chips } from "../../design/forms/chips.js";
import { SavedViews } from "../../shell/saved-views/saved-views.js";
import { COLUMN_KEYS, COLUMN_TITLES, type ColumnKey } from "./decision-columns.js";
import { DecisionFiltersBar } from "./decision-filters.js";
import { FilterChips } from "./filter-chips.js";
import { MoreFilters } from "./more-filters.js";
import type { useDecisionFilters } from "./use-decision-filters.js";

interface LogControlsProps {
  list: ReturnType<typeof useDecisionFilters>;
  isFiltered: boolean;
  columns: readonly ColumnKey[];
  onColumns(keys: readonly string[]): void;
}

/** DASH-25: shows the filters of the log, and the choice of its columns. */
export function LogControls({ list, isFiltered, columns, onColumns }: LogControlsProps) {
  const { filters, chips, setFilters, setChips, clear } = list;
  const [shown, setShown] = useState<"filters" | "columns" | null>(null);
  const moreId = useId();
  const toggle = (part: "filters" | "columns", text: string) => (
    <Button
      aria-expanded={shown === part}
      aria-controls={shown === part ? moreId : undefined}
      onClick={() => setShown(shown === part ? null : part)}
    >
      {text}
    </Button>
  );

  return (
    <>
      <DecisionFiltersBar filters={filters} isFiltered={isFiltered} onChange={setFilters} onClear={clear}>
        {toggle("filters", "More filters")}
        {toggle("columns", "Columns")}
        <SavedViews page="decisions" />
      </DecisionFiltersBar>
      {shown === "filters" ? <MoreFilters id={moreId} chips={chips} onApply={setChips} /> : null}
      {shown === "columns" ? (
        <div id={moreId}>
          <Chips
            label="Columns"
            options={COLUMN_KEYS.filter((key) => key !== "order")}
            chosen={columns.filter((key) => key !== "order")}
            textOf={(key) => COLUMN_TITLES[key] ?? key}
            onChange={onColumns}
          />
        </div>
      ) : null}
      <FilterChips chips={chips} onLift={setChips} />
    </>
  );
}
