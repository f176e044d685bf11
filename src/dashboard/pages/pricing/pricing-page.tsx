import { usePricing } from "../../api/pricing.js";
import { ErrorState } from "../../design/feedback/error-state.js";
import { Skeleton } from "../../design/base/skeleton.js";
import { MerchantPicker } from "../../shell/merchant/merchant-picker.js";
import { ContractsPanel } from "./contracts-panel.js";
import { ObservedPanel } from "./observed-panel.js";
import { UploadPanel } from "./upload-panel.js";
import "./pricing.css";

/** Shows what payments cost: contracts and observed prices. */
export default function PricingPage() {
  return <MerchantPicker>{(merchantId) => <MerchantPrices merchantId={merchantId} />}</MerchantPicker>;
}

function MerchantPrices({ merchantId }: { merchantId: string }) {
  const pricing = usePricing(merchantId);
  if (pricing.data === undefined) {
    return pricing.error === null ? (
      <Skeleton heightPx={640} />
    ) : (
      <ErrorState error={pricing.error} onRetry={pricing.refetch} />
    );
  }
  return (
    <>
      <ContractsPanel contracts={pricing.data.contracts} />
      <UploadPanel merchantId={merchantId} />
      <ObservedPanel observed={pricing.data.observed} />
    </>
  );
}
