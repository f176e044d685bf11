/** LOG-21, ANA-6: the columns that decisions are counted by. A facet has a value for each, in this order. */
export const FACET_COLUMNS = [
  "merchant_id",
  "currency",
  "country",
  "payment_method",
  "card_network",
  "provider",
] as const;
export type FacetColumn = (typeof FACET_COLUMNS)[number];

/** LOG-29: as a filter, it selects decisions without a value. No code, network or provider has this form. */
export const NO_VALUE = "-";
/** A filter's value as facets store it: '' where there is none. */
export function storedFacet<Value extends string>(value: Value | typeof NO_VALUE | null): Value | "" | null {
  return value === NO_VALUE ? "" : value;
}
