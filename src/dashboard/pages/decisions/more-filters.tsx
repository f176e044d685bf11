import {
  CARD_NETWORKS,
  OUTCOMES,
  PAYMENT_METHODS,
  RISK_BANDS,
} from "../../../domain/vocabulary/vocabulary.js";
import { NO_VALUE } from "../../../domain/vocabulary/facets.js";
import { formatName } from "../../design/base/format.js";
import { Button } from "../../design/forms/button.js";
import { Field } from "../../design/forms/field.js";
import { CHIP_TITLES } from "./filter-chips.js";
import type { ChipFilters, ChipName } from "./use-decision-filters.js";

/** REQ-2 */
const ID_CHARS_MAX = 128;
const TEXTS = [
  { name: "merchant_id", maxLength: ID_CHARS_MAX },
  { name: "provider", maxLength: 64 },
  { name: "currency", maxLength: 3, placeholder: "USD" },
  { name: "country", maxLength: 2, placeholder: "US" },
  { name: "reason_code", maxLength: 64, placeholder: "RISK_ACCEPTABLE" },
] as const;
const CODES: readonly string[] = ["currency", "country", "reason_code"];
const CHOICES = [
  { name: "payment_method", values: PAYMENT_METHODS },
  { name: "card_network", values: CARD_NETWORKS },
  { name: "risk_band", values: RISK_BANDS },
  { name: "outcome", values: OUTCOMES },
] as const;
const AMOUNTS = ["amount_min", "amount_max"] as const;
const NAMES: readonly ChipName[] = [
  ...TEXTS.map(({ name }) => name),
  ...CHOICES.map(({ name }) => name),
  ...AMOUNTS,
];

interface MoreFiltersProps {
  id: string;
  chips: ChipFilters;
  onApply(changes: Partial<Record<ChipName, string | null>>): void;
}

/** DASH-25: the rarely used filters. They are applied together, so that typing sends no request. */
export function MoreFilters({ id, chips, onApply }: MoreFiltersProps) {
  return (
    <form
      // The key resets the form if something else changes the address.
      key={JSON.stringify(chips)}
      id={id}
      className="log-more"
      aria-label="More filters"
      onSubmit={(event) => {
        event.preventDefault();
        onApply(changesIn(new FormData(event.currentTarget)));
      }}
    >
      {TEXTS.map((text) => (
        <Field
          key={text.name}
          {...text}
          label={CHIP_TITLES[text.name]}
          defaultValue={chips[text.name]}
          autoComplete="off"
        />
      ))}
      {CHOICES.map(({ name, values }) => (
        <label key={name} className="field">
          <span className="field-label">{CHIP_TITLES[name]}</span>
          <select className="select-control select-control-wide" name={name} defaultValue={chips[name] ?? ""}>
            <option value="">Any</option>
            {name === "card_network" ? <option value={NO_VALUE}>None</option> : null}
            {values.map((value) => (
              <option key={value} value={value}>
                {formatName(value)}
              </option>
            ))}
          </select>
        </label>
      ))}
      {AMOUNTS.map((name) => (
        <Field
          key={name}
          name={name}
          label={`${CHIP_TITLES[name]}, minor units`}
          defaultValue={chips[name]}
          type="number"
          min={0}
          step={1}
        />
      ))}
      <Button type="submit" kind="primary">
        Apply filters
      </Button>
    </form>
  );
}

function changesIn(form: FormData): Partial<Record<ChipName, string | null>> {
  return Object.fromEntries(
    NAMES.map((name) => {
      const value = form.get(name);
      const text = typeof value === "string" ? value.trim() : "";
      const written = CODES.includes(name) ? text.toUpperCase() : text;
      return [name, written === "" ? null : written];
    }),
  );
}
