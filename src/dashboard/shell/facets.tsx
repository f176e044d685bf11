import type { DecisionListQuery } from "../../client/wire-types.js";
import { FACET_COLUMNS, NO_VALUE, type FacetColumn } from "../../domain/vocabulary/facets.js";
import { formatName, formatTime } from "../design/base/format.js";
import { Chips } from "../design/forms/chips.js";
import { useAddress, withoutPlaces } from "./address.js";

const NAMES = [...FACET_COLUMNS, "from", "to"] as const;

/** The filters by properties of decisions, and by an interval. The service checks their values. */
export type Facets = Pick<DecisionListQuery, (typeof NAMES)[number]>;

const TITLES: Readonly<Record<(typeof NAMES)[number], string>> = {
  merchant_id: "Merchant",
  currency: "Currency",
  country: "Country",
  payment_method: "Payment method",
  card_network: "Card network",
  provider: "Provider",
  from: "From",
  to: "To",
};

export function titleOf(column: FacetColumn): string {
  return TITLES[column];
}

/** Formats a value for people. Codes and ids are not changed. */
export function valueText(column: FacetColumn, value: string | null): string {
  if (value === null || value === NO_VALUE) return "None";
  return column === "payment_method" || column === "card_network" ? formatName(value) : value;
}

/** DASH-11: keeps the filters in the address. */
export function useFacets() {
  const address = useAddress();
  const present = NAMES.flatMap((name) => {
    const value = address.parameters.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return {
    facets: Object.fromEntries(present) as Facets,
    hasInterval: present.some(([name]) => name === "from" || name === "to"),
    /** Removes filters by their names. */
    remove(names: readonly string[]) {
      address.edit({ ...withoutPlaces(address), ...Object.fromEntries(names.map((name) => [name, null])) });
    },
  };
}

/** Shows each active filter with a button that removes it. */
export function FacetChips({
  facets,
  onRemove,
}: {
  facets: Facets;
  onRemove(names: readonly string[]): void;
}) {
  const names = Object.keys(facets);
  if (names.length === 0) return null;
  return (
    <Chips
      label="Filters; press one to lift it"
      options={[]}
      chosen={names}
      textOf={(name) => chipText(name as keyof Facets, facets)}
      onChange={(left) => onRemove(names.filter((name) => !left.includes(name)))}
    />
  );
}

function chipText(name: keyof Facets, facets: Facets): string {
  const value = facets[name] ?? "";
  if (name !== "from" && name !== "to") return `${TITLES[name]}: ${valueText(name, value)}`;
  return `${TITLES[name]}: ${Number.isNaN(Date.parse(value)) ? value : formatTime(value)}`;
}
