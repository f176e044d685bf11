import type { DecisionListQuery } from "../../../client/wire-types.js";
import { RANGES, type Range } from "../../../domain/vocabulary/range.js";
import {
  ACTIONS,
  DECISION_MODES,
  type Action,
  type DecisionMode,
} from "../../../domain/vocabulary/vocabulary.js";
import { useAddress } from "../../shell/address.js";
import { useFacets, type Facets } from "../../shell/facets.js";

export const PAGE_ROWS = 25;

export interface DecisionFilters {
  action: Action | "any";
  decisionMode: DecisionMode | "any";
  range: Range;
  orderId: string;
  isUnresolved: boolean;
}

export type Cursor = { kind: "starting_after" | "ending_before"; decisionId: string } | null;

const NAMES = {
  action: "action",
  decisionMode: "decision_mode",
  range: "range",
  orderId: "order_id",
  isUnresolved: "unresolved",
} as const satisfies Record<keyof DecisionFilters, string>;

/** Another list begins at its newest entry. */
const NO_CURSOR = { starting_after: null, ending_before: null } as const;

/** Keeps the filters and the position in the address, so that a view can be shared. */
export function useDecisionFilters() {
  const { parameters, edit } = useAddress();
  const { facets, hasInterval, remove } = useFacets();
  const filters: DecisionFilters = {
    action: oneOf(ACTIONS, parameters.get(NAMES.action)) ?? "any",
    decisionMode: oneOf(DECISION_MODES, parameters.get(NAMES.decisionMode)) ?? "any",
    range: oneOf(RANGES, parameters.get(NAMES.range)) ?? "all",
    orderId: parameters.get(NAMES.orderId) ?? "",
    isUnresolved: parameters.get(NAMES.isUnresolved) === "true",
  };
  const cursor = cursorOf(parameters);

  return {
    filters,
    cursor,
    query: queryOf(filters, facets, hasInterval, cursor),
    facets,
    removeFacets: remove,
    setFilters(changes: Partial<DecisionFilters>) {
      const named = Object.entries(changes).map(([name, value]): [string, string | null] => {
        const isDefault = value === "any" || value === "all" || value === "" || value === false;
        return [NAMES[name as keyof DecisionFilters], isDefault ? null : String(value)];
      });
      // A range takes the place of an interval.
      const interval = "range" in changes ? { from: null, to: null } : {};
      edit({ ...NO_CURSOR, ...interval, ...Object.fromEntries(named) });
    },
    clear() {
      const names = [...Object.values(NAMES), ...Object.keys(facets)];
      edit({ ...NO_CURSOR, ...Object.fromEntries(names.map((name) => [name, null])) });
    },
    /** `replace` replaces the current address instead of adding one to the history. */
    setCursor(next: Cursor, replace = false) {
      edit({ ...NO_CURSOR, ...(next === null ? {} : { [next.kind]: next.decisionId }) }, { replace });
    },
  };
}

function oneOf<Value extends string>(values: readonly Value[], text: string | null): Value | undefined {
  return values.find((value) => value === text);
}

function cursorOf(parameters: URLSearchParams): Cursor {
  for (const kind of ["starting_after", "ending_before"] as const) {
    const decisionId = parameters.get(kind);
    if (decisionId !== null) return { kind, decisionId };
  }
  return null;
}

function queryOf(
  filters: DecisionFilters,
  facets: Facets,
  hasInterval: boolean,
  cursor: Cursor,
): DecisionListQuery {
  const { action, decisionMode, range, orderId, isUnresolved } = filters;
  return {
    page_size: PAGE_ROWS,
    ...(action === "any" ? {} : { action }),
    ...(decisionMode === "any" ? {} : { decision_mode: decisionMode }),
    ...facets,
    ...(range === "all" || hasInterval ? {} : { range }),
    ...(orderId === "" ? {} : { order_id: orderId }),
    ...(isUnresolved ? { unresolved: true } : {}),
    ...(cursor === null ? {} : { [cursor.kind]: cursor.decisionId }),
  };
}
