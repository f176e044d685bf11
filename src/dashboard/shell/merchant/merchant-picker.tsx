import { useMerchantList } from "../../api/merchant-list.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { ErrorState } from "../../design/feedback/error-state.js";
import { Select } from "../../design/forms/select.js";
import { Skeleton } from "../../design/base/skeleton.js";
import { useAddress, withoutPlaces } from "../address.js";
import type { ReactNode } from "react";
import { isolated } from "../../design/base/isolated.js";
import "./merchant-picker.css";

interface MerchantPickerProps {
  /** Actions beside the choice of a merchant. */
  actions?: ReactNode;
  /** Renders the page of the chosen merchant. The picker mounts it anew for each merchant, so no state is carried over. */
  children(merchantId: string): ReactNode;
}

/** A page about one merchant. The address names the merchant. */
export function MerchantPicker({ actions, children }: MerchantPickerProps) {
  const merchants = useMerchantList();
  const address = useAddress();
  if (merchants.data === undefined) {
    return merchants.error === null ? (
      <Skeleton heightPx={480} />
    ) : (
      <ErrorState error={merchants.error} onRetry={merchants.refetch} />
    );
  }
  const ids = merchants.data.merchants.map(({ merchant_id }) => merchant_id);
  const requested = address.parameters.get("merchant");
  const chosen = requested !== null && ids.includes(requested) ? requested : ids[0];
  if (chosen === undefined) {
    return (
      <EmptyState icon="platform" title="No merchant yet">
        A merchant is registered with <code>POST /v1/admin/merchants</code>, or in the workspace settings.
      </EmptyState>
    );
  }
  const choose = (merchantId: string): void =>
    // The other parameters are about the previous merchant, so they are dropped.
    address.edit({
      merchant: merchantId,
      version: null,
      compare: null,
      contract: null,
      ...withoutPlaces(address),
    });
  return (
    <div className="merchant-page">
      <div className="merchant-bar">
        <span className="muted" aria-hidden="true">
          Merchant
        </span>
        <Select
          label="Merchant"
          value={chosen}
          options={merchants.data.merchants.map(({ merchant_id, name }) => ({
            value: merchant_id,
            label: name === null || name === merchant_id ? merchant_id : `${isolated(name)} (${merchant_id})`,
          }))}
          onChange={choose}
        />
        {actions}
      </div>
      <div key={chosen} className="merchant-page">
        {children(chosen)}
      </div>
    </div>
  );
}
