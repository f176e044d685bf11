import { useAddress, withoutPlaces } from "../../shell/address.js";
import { FACET_COLUMNS, type FacetColumn } from "../../../domain/vocabulary/facets.js";

/** The columns of the groups are in the address: one, or two joined with a comma. */
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

/** The first column by which decisions are not filtered yet, currencies before the others. */
function firstOpen(parameters: URLSearchParams): FacetColumn {
  const order: readonly FacetColumn[] = ["currency", ...FACET_COLUMNS];
  return order.find((column) => !parameters.has(column)) ?? "currency";
}
