import { AUDIT_ACTIONS } from "../../../domain/vocabulary/audit-actions.js";
import type { AuditFilters } from "../../api/audit-log.js";
import { chosenZone, fieldZone } from "../../design/base/zone.js";
import { fieldIn, instantOf } from "../../design/base/zone-time.js";
import { isolated } from "../../design/base/isolated.js";
import { Button } from "../../design/forms/button.js";
import { Field } from "../../design/forms/field.js";
import { SearchBox } from "../../design/forms/search-box.js";
import { Select } from "../../design/forms/select.js";
import type { ActorName } from "../../session/actor-names.js";
import { wordingOf } from "./audit-wording.js";
import { actionOf, type AuditFilterName } from "./use-audit-filters.js";

const ACTIONS = [
  { value: "any" as const, label: "Any action" },
  ...AUDIT_ACTIONS.map((value) => ({ value, label: sentenceOf(wordingOf(value).words) })),
];

interface AuditFiltersBarProps {
  filters: AuditFilters;
  isFiltered: boolean;
  actors: readonly ActorName[];
  onChange(changes: Partial<Record<AuditFilterName, string | null>>): void;
  onClear(): void;
}

/** DASH-34: one search box, and the filters beside it. */
export function AuditFiltersBar({ filters, isFiltered, actors, onChange, onClear }: AuditFiltersBarProps) {
  const { q = "", actor = "any", resource, merchant_id: merchantId } = filters;
  return (
    <search className="audit-filters">
      {/* The key resets the text box when the address changes. */}
      <SearchBox
        key={q}
        search={q}
        placeholder="An id's beginning, or words of an action"
        onSearch={(text) => onChange({ q: text.trim() })}
      />
      <Select
        label="Action"
        value={actionOf(filters)}
        options={ACTIONS}
        onChange={(action) => onChange({ action: action === "any" ? null : action })}
      />
      <Select
        label="By"
        value={actor}
        options={actorOptions(actors, actor)}
        onChange={(chosen) => onChange({ actor: chosen === "any" ? null : chosen })}
      />
      <Moment label="From" value={filters.from} onChange={(from) => onChange({ from })} />
      <Moment label="Before" value={filters.to} onChange={(to) => onChange({ to })} />
      {merchantId === undefined ? null : (
        <Button kind="quiet" onClick={() => onChange({ merchant_id: null })}>
          Only merchant {merchantId}: lift
        </Button>
      )}
      {resource === undefined ? null : (
        <Button kind="quiet" onClick={() => onChange({ resource: null })}>
          Only {resource}: lift
        </Button>
      )}
      {isFiltered ? (
        <Button kind="quiet" onClick={onClear}>
          Clear filters
        </Button>
      ) : null}
    </search>
  );
}

/** DASH-29: a field for a time in the chosen zone. It takes effect when the person leaves the field. */
function Moment(props: { label: string; value: string | undefined; onChange(value: string | null): void }) {
  const { label, value, onChange } = props;
  const zone = chosenZone();
  const atMs = value === undefined ? Number.NaN : Date.parse(value);
  const shown = Number.isNaN(atMs) ? "" : fieldIn(atMs, zone);
  return (
    <Field
      key={`${shown} ${zone}`}
      label={label}
      type="datetime-local"
      hint={fieldZone(shown)}
      defaultValue={shown}
      onBlur={({ target }) => {
        if (target.value === shown) return;
        const instantMs = instantOf(target.value, zone);
        onChange(instantMs === undefined ? null : new Date(instantMs).toISOString());
      }}
    />
  );
}

/** If the actor in the address no longer exists, its id is shown. */
function actorOptions(actors: readonly ActorName[], chosen: string): { value: string; label: string }[] {
  const known = actors.map(({ actor, name }) => ({ value: actor, label: isolated(name) }));
  const isKnown = chosen === "any" || known.some(({ value }) => value === chosen);
  return [
    { value: "any", label: "Anybody" },
    ...known,
    ...(isKnown ? [] : [{ value: chosen, label: chosen }]),
  ];
}

function sentenceOf(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
