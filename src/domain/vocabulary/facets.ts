/** LOG-21, ANA-6: the columns by which decisions are counted. A facet has one value for each column, in this order. */
export const FACET_COLUMNS = [
  "merchant_id",
  "currency",
  "country",
  "payment_method",
  "card_network",
  "provider",
] as const;
export type FacetColumn = (typeof FACET_COLUMNS)[number];

/** LOG-29: the filter value that selects decisions without a value. No code, network or provider equals it. */
export const NO_VALUE = "-";
/** Returns a filter's value as facets store it: '' for decisions without a value. */
export function storedFacet<Value extends string>(value: Value | typeof NO_VALUE | null): Value | "" | null {
  return value === NO_VALUE ? "" : value;
}
