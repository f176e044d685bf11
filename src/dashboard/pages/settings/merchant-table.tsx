import type { Merchant } from "../../api/wire-types.js";
import { Age } from "../../design/base/age.js";
import { Pagination } from "../../design/layout/pagination.js";
import { Table, type Column } from "../../design/layout/table.js";
import { usePages } from "../../shell/address.js";
import { merchantPath } from "../../shell/merchant/merchant-link.js";
import { RowLink } from "../../shell/row-link.js";
import { Foreign } from "../../design/base/foreign.js";

const PAGE_ROWS = 25;

const COLUMNS: readonly Column<Merchant>[] = [
  {
    key: "id",
    title: "Merchant id",
    cell: ({ merchant_id }) => (
      <RowLink to={merchantPath(merchant_id)}>
        <Foreign text={merchant_id} />
      </RowLink>
    ),
  },
  {
    key: "name",
    title: "Name",
    cell: ({ name }) => (name === null ? <span className="muted">–</span> : <Foreign text={name} />),
  },
  { key: "since", title: "Added", isNumeric: true, cell: ({ created_at }) => <Age at={created_at} /> },
];

export function MerchantTable({ merchants }: { merchants: readonly Merchant[] }) {
  const { first, shown, isOnlyOne, turns } = usePages("page", merchants, PAGE_ROWS);
  return (
    <>
      <Table caption="Merchants" columns={COLUMNS} rows={shown} keyOf={({ merchant_id }) => merchant_id} />
      {isOnlyOne ? null : (
        <Pagination
          of="merchants"
          text={`${first + 1}–${first + shown.length} of ${merchants.length}`}
          {...turns}
        />
      )}
    </>
  );
}
