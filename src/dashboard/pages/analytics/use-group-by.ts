import { useAddress, withoutPlaces } from "../../shell/address.js";
import { FACET_COLUMNS, type FacetColumn } from "../../../domain/vocabulary/facets.js";

/** Keeps the columns of the groups in the address: one, or two separated by a comma. */
export function useGroupBy() {
  const address = useAddress();
  const named = (address.parameters.get("group_by") ?? "").split(",");
  const columns = FACET_COLUMNS.filter((column) => named.includes(column)).toSorted(
    (a, b) => named.indexOf(a) - named.indexOf(b),
  );
  const groupBy = columns.length === 0 ? [firstOpen(address.parameters)] : columns.slice(0, 2);
  return {
    groupBy,
    setGroupBy(chosen: readonly FacetColumn[]) {
      address.edit({ ...withoutPlaces(address), group_by: chosen.join(",") });
    },
  };
}

/** Returns the first column that is not filtered yet. Currency is preferred. */
function firstOpen(parameters: URLSearchParams): FacetColumn {
  const order: readonly FacetColumn[] = ["currency", ...FACET_COLUMNS];
  return order.find((column) => !parameters.has(column)) ?? "currency";
}
