/** LOG-21, ANA-6: what decisions are counted by. A facet has a value of each, in this order. */
export const FACET_COLUMNS = [
  "merchant_id",
  "currency",
  "country",
  "payment_method",
  "card_network",
  "provider",
] as const;
export type FacetColumn = (typeof FACET_COLUMNS)[number];
