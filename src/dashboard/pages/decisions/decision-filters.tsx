import type { ReactNode } from "react";
import { ACTIONS, DECISION_MODES } from "../../../domain/vocabulary/vocabulary.js";
import { Button } from "../../design/forms/button.js";
import { formatName } from "../../design/base/format.js";
import { RANGE_OPTIONS } from "../../design/base/ranges.js";
import { SearchBox } from "../../design/forms/search-box.js";
import { Select } from "../../design/forms/select.js";
import type { DecisionFilters } from "./use-decision-filters.js";

const ACTION_OPTIONS = [
  { value: "any" as const, label: "Any instruction" },
  ...ACTIONS.map((value) => ({ value, label: formatName(value) })),
];
const MODE_OPTIONS = [
  { value: "any" as const, label: "Enforced and shadow" },
  ...DECISION_MODES.map((value) => ({ value, label: value === "enforce" ? "Enforced" : "Shadow" })),
];

interface DecisionFiltersBarProps {
  filters: DecisionFilters;
  isFiltered: boolean;
  onChange(changes: Partial<DecisionFilters>): void;
  onClear(): void;
  /** More controls of the list. */
  children: ReactNode;
}

/** Shows the filters of the decision log. */
export function DecisionFiltersBar({
  filters,
  isFiltered,
  onChange,
  onClear,
  children,
}: DecisionFiltersBarProps) {
  return (
    <search className="log-filters">
      {/* The key resets the text box when the address changes. */}
      <SearchBox
        key={filters.search}
        search={filters.search}
        placeholder="Order or decision id, or its beginning"
        onSearch={(search) => onChange({ search: search.trim() })}
      />
      <Select
        label="Instruction"
        value={filters.action}
        options={ACTION_OPTIONS}
        onChange={(action) => onChange({ action })}
      />
      <Select
        label="Decision mode"
        value={filters.decisionMode}
        options={MODE_OPTIONS}
        onChange={(decisionMode) => onChange({ decisionMode })}
      />
      <Select
        label="Range"
        value={filters.range}
        options={RANGE_OPTIONS}
        onChange={(range) => onChange({ range })}
      />
      <label className="log-check">
        <input
          type="checkbox"
          checked={filters.isUnresolved}
          onChange={(event) => onChange({ isUnresolved: event.target.checked })}
        />
        Unresolved only
      </label>
      {children}
      {isFiltered ? (
        <Button kind="quiet" onClick={onClear}>
          Clear filters
        </Button>
      ) : null}
    </search>
  );
}
