import { ENFORCE_COLUMNS, OUTCOME_COLUMNS, SHADOW_COLUMNS, UNRESOLVED_COLUMNS } from "./rollup-columns.js";

/**
 * The columns of facet_blocks with their counters. Counters are named like the columns of migrations/0006_rollups.sql.
 */
export const FACET_FAMILIES = {
  decided: [...ENFORCE_COLUMNS, ...SHADOW_COLUMNS],
  unresolved: UNRESOLVED_COLUMNS,
  outcomes: OUTCOME_COLUMNS,
} as const;

export type FacetFamily = keyof typeof FACET_FAMILIES;
export const FACET_FAMILY_NAMES = Object.keys(FACET_FAMILIES) as FacetFamily[];

/** Facet blocks store a counter as its position, so add new counters at the end. */
export const FACET_COUNTERS: readonly string[] = Object.values(FACET_FAMILIES).flat();

const positionsOf = (columns: readonly string[]): number[] =>
  columns.map((column) => FACET_COUNTERS.indexOf(column));

/** The positions of the counters by action, and by stored outcome. */
export const ENFORCED_AT = positionsOf(ENFORCE_COLUMNS);
export const SHADOWED_AT = positionsOf(SHADOW_COLUMNS);
export const UNRESOLVED_AT = positionsOf(UNRESOLVED_COLUMNS);
export const OUTCOMES_AT = positionsOf(OUTCOME_COLUMNS);

/** The family of each counter. */
export const FAMILY_OF: readonly FacetFamily[] = FACET_FAMILY_NAMES.flatMap((family) =>
  FACET_FAMILIES[family].map(() => family),
);
