import type { DecisionListQuery } from "../../../client/wire-types.js";
import { FACET_COLUMNS } from "../../../domain/vocabulary/facets.js";
import { RANGES, type Range } from "../../../domain/vocabulary/range.js";
import {
  ACTIONS,
  DECISION_MODES,
  type Action,
  type DecisionMode,
} from "../../../domain/vocabulary/vocabulary.js";
import { useAddress } from "../../shell/address.js";

export const PAGE_ROWS = 25;

/** The filters that are always shown. */
export interface DecisionFilters {
  action: Action | "any";
  decisionMode: DecisionMode | "any";
  range: Range;
  search: string;
  isUnresolved: boolean;
}

export type Cursor = { kind: "starting_after" | "ending_before"; decisionId: string } | null;

const NAMES = {
  action: "action",
  decisionMode: "decision_mode",
  range: "range",
  search: "q",
  isUnresolved: "unresolved",
} as const satisfies Record<keyof DecisionFilters, string>;

/** LOG-22 to LOG-24: the filters that make the service examine single rows. */
const SIEVE_NAMES = ["amount_min", "amount_max", "risk_band", "outcome", "reason_code"] as const;
/**
 * The filters that are shown as chips. Their names are the same in the address and in the API. The service checks
 * their values.
 */
export const CHIP_NAMES = ["order_id", ...FACET_COLUMNS, ...SIEVE_NAMES, "from", "to"] as const;
export type ChipName = (typeof CHIP_NAMES)[number];
export type ChipFilters = Readonly<Partial<Record<ChipName, string>>>;

/** Removes the cursor, because a list with other filters begins at its newest entry. */
const NO_CURSOR = { starting_after: null, ending_before: null } as const;

/** DASH-25: keeps the filters and the position in the address, so that a view can be shared. */
export function useDecisionFilters() {
  const { parameters, edit } = useAddress();
  const filters: DecisionFilters = {
    action: oneOf(ACTIONS, parameters.get(NAMES.action)) ?? "any",
    decisionMode: oneOf(DECISION_MODES, parameters.get(NAMES.decisionMode)) ?? "any",
    range: oneOf(RANGES, parameters.get(NAMES.range)) ?? "all",
    search: parameters.get(NAMES.search) ?? "",
    isUnresolved: parameters.get(NAMES.isUnresolved) === "true",
  };
  const chips: ChipFilters = Object.fromEntries(
    CHIP_NAMES.flatMap((name) => {
      const value = parameters.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  const cursor = cursorOf(parameters);

  return {
    filters,
    chips,
    cursor,
    query: queryOf(filters, chips, cursor),
    /**
     * True if a filter makes the service examine single rows. That takes longer, so the page is not refreshed
     * automatically.
     */
    isSieved: filters.search !== "" || SIEVE_NAMES.some((name) => name in chips),
    setFilters(changes: Partial<DecisionFilters>) {
      const named = Object.entries(changes).map(([name, value]): [string, string | null] => {
        const isDefault = value === "any" || value === "all" || value === "" || value === false;
        return [NAMES[name as keyof DecisionFilters], isDefault ? null : String(value)];
      });
      // A range removes an interval, and a search removes an order's id.
      const interval = "range" in changes ? { from: null, to: null } : {};
      const order = "search" in changes ? { order_id: null } : {};
      edit({ ...NO_CURSOR, ...interval, ...order, ...Object.fromEntries(named) });
    },
    /** Null removes a filter. */
    setChips(changes: Readonly<Partial<Record<ChipName, string | null>>>) {
      edit({ ...NO_CURSOR, ...changes });
    },
    clear() {
      const names = [...Object.values(NAMES), ...CHIP_NAMES];
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

function queryOf(filters: DecisionFilters, chips: ChipFilters, cursor: Cursor): DecisionListQuery {
  const { action, decisionMode, range, search, isUnresolved } = filters;
  const { amount_min, amount_max, ...texts } = chips;
  const hasInterval = chips.from !== undefined || chips.to !== undefined;
  return {
    page_size: PAGE_ROWS,
    ...(action === "any" ? {} : { action }),
    ...(decisionMode === "any" ? {} : { decision_mode: decisionMode }),
    // The address may contain any text, and the service reports its errors.
    ...(texts as DecisionListQuery),
    ...(amount_min === undefined ? {} : { amount_min: Number(amount_min) }),
    ...(amount_max === undefined ? {} : { amount_max: Number(amount_max) }),
    ...(range === "all" || hasInterval ? {} : { range }),
    ...(search === "" ? {} : { q: search }),
    ...(isUnresolved ? { unresolved: true } : {}),
    ...(cursor === null ? {} : { [cursor.kind]: cursor.decisionId }),
  };
}
