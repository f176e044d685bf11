import { AUDIT_ACTIONS, type AuditAction } from "../../../domain/vocabulary/audit-actions.js";
import type { AuditFilters } from "../../api/audit-log.js";
import { cursorIn, NEWEST, type ListCursor } from "../../api/transport/list-cursor.js";
import { useAddress } from "../../shell/address.js";

/** The filters by their names in the address and in the API. The service checks their values. */
const NAMES = ["q", "action", "actor", "resource", "merchant_id", "from", "to"] as const;
export type AuditFilterName = (typeof NAMES)[number];

/** DASH-34: keeps the filters and the position in the address. */
export function useAuditFilters() {
  const { parameters, edit } = useAddress();
  const filters: AuditFilters = Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = parameters.get(name);
      return value === null || value === "" ? [] : [[name, value]];
    }),
  );
  return {
    filters,
    cursor: cursorIn(parameters),
    isFiltered: Object.keys(filters).length > 0,
    /** Null or an empty text removes a filter. */
    setFilters(changes: Readonly<Partial<Record<AuditFilterName, string | null>>>) {
      const named = Object.entries(changes).map(([name, value]) => [name, value === "" ? null : value]);
      edit({ ...NEWEST, ...Object.fromEntries(named) });
    },
    clear: () => edit({ ...NEWEST, ...Object.fromEntries(NAMES.map((name) => [name, null])) }),
    turnTo: ({ direction, id }: ListCursor) => edit({ ...NEWEST, [direction]: id }),
  };
}

/** Returns the action in the address, or `any` if it names no known one. */
export function actionOf({ action }: AuditFilters): AuditAction | "any" {
  return AUDIT_ACTIONS.find((known) => known === action) ?? "any";
}
