import { useState, type ReactNode } from "react";
import { ACTIONS, DECISION_MODES } from "../../../domain/vocabulary/vocabulary.js";
import { Button } from "../../design/forms/button.js";
import { formatName } from "../../design/base/format.js";
import { RANGE_OPTIONS } from "../../design/base/ranges.js";
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
/** LOG-26 */
const SEARCH_CHARS_MIN = 3;
const SEARCH_CHARS_MAX = 128;

interface DecisionFiltersBarProps {
  filters: DecisionFilters;
  isFiltered: boolean;
  onChange(changes: Partial<DecisionFilters>): void;
  onClear(): void;
  /** More controls of the list. */
  children: ReactNode;
}

/** The filters of the decision log. */
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
      <IdSearch
        key={filters.search}
        search={filters.search}
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

function IdSearch({ search, onSearch }: { search: string; onSearch(search: string): void }) {
  const [text, setText] = useState(search);
  return (
    <form
      className="log-search"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(text);
      }}
    >
      <input
        type="search"
        className="log-search-text"
        aria-label="Search"
        placeholder="Order or decision id, or its beginning"
        minLength={SEARCH_CHARS_MIN}
        maxLength={SEARCH_CHARS_MAX}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit">Find</Button>
    </form>
  );
}
