import { usePricing } from "../../api/pricing.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { ContractsPanel } from "../pricing/contracts-panel.js";
import { ObservedPanel } from "../pricing/observed-panel.js";
import { Stack } from "../../design/layout/stack.js";
import "../pricing/pricing.css";

const HEIGHT_PX = 400;

export function PricesPanel({ merchantId }: { merchantId: string }) {
  const pricing = usePricing(merchantId);
  return (
    <Loaded query={pricing} heightPx={HEIGHT_PX}>
      {({ contracts, observed }) => (
        <Stack>
          <ContractsPanel contracts={contracts} />
          <ObservedPanel observed={observed} />
        </Stack>
      )}
    </Loaded>
  );
}
